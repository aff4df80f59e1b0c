// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that the leader's process has ended before ZooKeeper does, which waits for the end of its session: a standby holds
 * a connection to the leader, and when that breaks and nobody listens at the address any more, the dead one's nodes are
 * deleted, which elects the next. Only a refused connection counts: of a machine that does not answer nothing is known. That
 * two do not lead is ensured by the lock on the state directory, not here.
 */
final class LeaderFailureDetector implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderFailureDetector.class);
    private static final int CONNECT_MILLIS = 1_000;
    private static final long PAUSE_MILLIS = 100;

    private final CuratorFramework zooKeeper;
    private final String election;
    private final String published;
    private final String own;

    /**
     * @param election path of the nodes that stand for election, which hold addresses
     * @param published path of the nodes that publish the leader
     * @param own this bridge's address, host:port
     */
    LeaderFailureDetector(CuratorFramework zooKeeper, String election, String published, String own) {
        this.zooKeeper = zooKeeper;
        this.election = election;
        this.published = published;
        this.own = own;
    }

    /** Until the thread is interrupted. */
    @Override
    public void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Optional<String> leader = first().map(this::address);
                boolean leads = leader.isPresent() && leader.get().equals(own);
                if (!leads && leader.isPresent() && !leader.get().isEmpty()) {
                    watch(leader.get());
                }
                TimeUnit.MILLISECONDS.sleep(leads ? 10 * PAUSE_MILLIS : PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns when the connection has broken; by then the leader's nodes are deleted if it is dead. */
    private void watch(String leader) {
        int colon = leader.lastIndexOf(':');
        InetSocketAddress address =
                new InetSocketAddress(leader.substring(0, colon), Integer.parseInt(leader.substring(colon + 1)));
        try (Socket socket = new Socket()) {
            socket.connect(address, CONNECT_MILLIS);
            socket.setKeepAlive(true);
            // Wakes up now and then: another may lead by then, whose connection is the one to hold.
            socket.setSoTimeout(2 * CONNECT_MILLIS);
            while (socket.getInputStream().read() >= 0) {
                LOG.debug("{} said something unasked", leader);
            }
        } catch (SocketTimeoutException e) {
            return;
        } catch (ConnectException e) {
            dead(leader);
            return;
        } catch (IOException e) {
            LOG.debug("the connection to the leader {} broke", leader, e);
        }
        try (Socket again = new Socket()) {
            again.connect(address, CONNECT_MILLIS);
        } catch (ConnectException e) {
            dead(leader);
        } catch (IOException e) {
            LOG.debug("the leader {} does not answer", leader, e);
        }
    }

    private void dead(String leader) {
        try {
            Optional<String> first = first();
            if (first.isEmpty() || !address(first.get()).equals(leader)) {
                return;
            }
            Stat stat = zooKeeper.checkExists().forPath(election + "/" + first.get());
            if (stat == null) {
                return;
            }
            LOG.info("nobody listens at the leader's address {} any more: electing another", leader);
            for (String name : zooKeeper.getChildren().forPath(published)) {
                Stat of = zooKeeper.checkExists().forPath(published + "/" + name);
                if (of != null && of.getEphemeralOwner() == stat.getEphemeralOwner()) {
                    zooKeeper.delete().forPath(published + "/" + name);
                }
            }
            zooKeeper.delete().forPath(election + "/" + first.get());
        } catch (KeeperException.NoNodeException e) {
            LOG.debug("another bridge was faster", e);
        } catch (Exception e) {
            LOG.warn("cannot take the dead leader {} off the list, ZooKeeper will: {}", leader, e.toString());
        }
    }

    /** The node that leads: that with the lowest number. */
    private Optional<String> first() {
        try {
            return zooKeeper.getChildren().forPath(election).stream()
                    .filter(name -> name.contains("latch-"))
                    .min(Comparator.comparing(name -> name.substring(name.lastIndexOf('-') + 1)));
        } catch (Exception e) {
            LOG.debug("cannot read who stands for election, will try again", e);
            return Optional.empty();
        }
    }

    private String address(String node) {
        try {
            return new String(
                    zooKeeper.getData().forPath(election + "/" + node), java.nio.charset.StandardCharsets.UTF_8);
        } catch (Exception e) {
            LOG.debug("cannot read {}, will try again", node, e);
            return "";
        }
    }
}
