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
import org.apache.mesos.v1.Protos.MasterInfo;
import org.apache.zookeeper.CreateMode;
import org.heddle.offers.wire.MalformedMessage;
import org.heddle.offers.wire.ProtoJson;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elects one of several bridges as the leader, with Curator's LeaderLatch. The lock on the state directory that the
 * bridges share ensures that no other bridge writes. The leader is published like a Mesos master, in a {@code
 * json.info_} node.
 *
 * <pre>
 * standby ──elected──► leader ──session lost──► over (the process ends; a new process may stand by)
 * </pre>
 *
 * The next bridge is elected when the leader's session has ended, or when {@link LeaderFailureDetector} has found that
 * the leader's process is dead.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the repeated task contains its own errors
final class LeaderElection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderElection.class);
    private static final int RETRY_MILLIS = 200;
    private static final long READ_MILLIS = 200;
    private static final String INFO = "json.info_";

    private final BridgeSettings.Standby settings;
    private final String address;
    private final CuratorFramework zooKeeper;
    private final LeaderLatch latch;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
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
                new LeaderFailureDetector(zooKeeper, election, settings.path(), address),
                "bridge-leader-failure-detector");
        watch.setDaemon(true);
    }

    /**
     * Takes part in the election.
     *
     * @param elected called once, in another thread
     * @param over called when another bridge may lead from now on
     */
    void begin(Runnable elected, Runnable over) throws IOException {
        zooKeeper.start();
        // Without a connection another bridge may be elected at any moment. So this one stops now, not when it learns
        // of that.
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
                timer);
        try {
            latch.start();
        } catch (Exception e) {
            throw new IOException(
                    "cannot take part in the election at " + settings.zooKeeper() + ": " + e.getMessage(), e);
        }
        timer.scheduleWithFixedDelay(this::readLeader, 0, READ_MILLIS, TimeUnit.MILLISECONDS);
        watch.start();
    }

    /** Publishes that this bridge is ready to lead. */
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

    private void readLeader() {
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
            LOG.debug("cannot read the leader, will try again", e);
            leader = null;
        }
    }

    /** Mesos' pid of a master is {@code master@host:port}. */
    private static String address(byte[] masterInfo) throws MalformedMessage {
        MasterInfo.Builder info = MasterInfo.newBuilder();
        ProtoJson.read(masterInfo, info);
        return info.getPid().substring(info.getPid().indexOf('@') + 1);
    }

    /** The leader's address, host:port; null while there is no leader. */
    @Nullable
    String leader() {
        return leader;
    }

    @Override
    public void close() {
        watch.interrupt();
        timer.shutdownNow();
        try {
            latch.close();
        } catch (IOException | IllegalStateException e) {
            LOG.debug("the election has ended already", e);
        }
        zooKeeper.close();
    }
}
