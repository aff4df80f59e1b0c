// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import java.io.IOException;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryForever;
import org.apache.zookeeper.CreateMode;
import org.heddle.offers.wire.Json;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One bridge of several leads. Which one, ZooKeeper decides; that the others do not write is ensured by the lock on the
 * state directory that they share. The leader is published as Mesos' masters are, in a {@code json.info_} node.
 *
 * <pre>
 * standing by ──elected──► leading ──session lost──► over (the process ends, and may stand by again)
 * </pre>
 *
 * Elected is who comes next once the leader's session has ended, or {@link LeaderFailureDetector} has found its process dead.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the repeated look contains its own errors
final class LeaderElection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderElection.class);
    private static final int RETRY_MILLIS = 200;
    private static final long LOOK_MILLIS = 200;
    private static final String INFO = "json.info_";

    private final BridgeSettings.Standby settings;
    private final String address;
    private final CuratorFramework zooKeeper;
    private final LeaderLatch latch;
    private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "bridge-election");
        thread.setDaemon(true);
        return thread;
    });
    private final Thread watch;
    private volatile @Nullable String leader;

    /** @param address host:port where frameworks reach this bridge */
    LeaderElection(BridgeSettings.Standby settings, String address) {
        this.settings = settings;
        this.address = address;
        this.zooKeeper = CuratorFrameworkFactory.builder()
                .connectString(settings.zooKeeper())
                .sessionTimeoutMs((int) settings.sessionMillis())
                .connectionTimeoutMs((int) settings.sessionMillis())
                .retryPolicy(new RetryForever(RETRY_MILLIS))
                .build();
        String election = settings.path() + "/election";
        this.latch = new LeaderLatch(zooKeeper, election, address);
        this.watch = new Thread(
                new LeaderFailureDetector(zooKeeper, election, settings.path(), address), "bridge-leader-watch");
        watch.setDaemon(true);
    }

    /**
     * Stands for election.
     *
     * @param elected called once, in a thread of its own
     * @param over called when somebody else may lead from now on
     */
    void begin(Runnable elected, Runnable over) throws IOException {
        zooKeeper.start();
        // Without a connection another may be elected any moment: it is over then, not only when that is known.
        zooKeeper.getConnectionStateListenable().addListener((client, state) -> {
            if (state == ConnectionState.LOST && latch.hasLeadership()) {
                over.run();
            }
        });
        latch.addListener(
                new LeaderLatchListener() {
                    @Override
                    public void isLeader() {
                        LOG.info("{} leads", address);
                        elected.run();
                    }

                    @Override
                    public void notLeader() {
                        LOG.warn("{} does not lead any more", address);
                        over.run();
                    }
                },
                looks);
        try {
            latch.start();
        } catch (Exception e) {
            throw new IOException("cannot stand for election at " + settings.zooKeeper() + ": " + e.getMessage(), e);
        }
        looks.scheduleWithFixedDelay(this::look, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        watch.start();
    }

    /** Tells everybody that this bridge is ready to lead. */
    void publish(byte[] masterInfo) throws IOException {
        try {
            zooKeeper
                    .create()
                    .creatingParentsIfNeeded()
                    .withMode(CreateMode.EPHEMERAL_SEQUENTIAL)
                    .forPath(settings.path() + "/" + INFO, masterInfo);
        } catch (Exception e) {
            throw new IOException("cannot publish the leader in ZooKeeper: " + e.getMessage(), e);
        }
    }

    private void look() {
        try {
            if (!zooKeeper.getZookeeperClient().isConnected()
                    || zooKeeper.checkExists().forPath(settings.path()) == null) {
                leader = null;
                return;
            }
            Optional<String> first = zooKeeper.getChildren().forPath(settings.path()).stream()
                    .filter(name -> name.startsWith(INFO))
                    .min(Comparator.naturalOrder());
            leader = first.isEmpty() ? null : address(zooKeeper.getData().forPath(settings.path() + "/" + first.get()));
        } catch (Exception e) {
            LOG.debug("cannot look up the leader, will try again", e);
            leader = null;
        }
    }

    /** The address in a MasterInfo, whose pid is {@code master@host:port}. */
    private static String address(byte[] masterInfo) throws IOException {
        String pid = Json.textField(masterInfo, "pid");
        return pid.substring(pid.indexOf('@') + 1);
    }

    /** Where the leader is, host:port; null while there is none. */
    @Nullable
    String leader() {
        return leader;
    }

    @Override
    public void close() {
        watch.interrupt();
        looks.shutdownNow();
        try {
            latch.close();
        } catch (IOException | IllegalStateException e) {
            LOG.debug("the election was over already", e);
        }
        zooKeeper.close();
    }
}
