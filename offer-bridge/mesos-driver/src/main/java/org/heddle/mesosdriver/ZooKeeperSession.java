// SPDX-License-Identifier: Apache-2.0
package org.heddle.mesosdriver;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/** A session of ZooKeeper that is opened when needed, and once more when it has expired. */
public final class ZooKeeperSession implements AutoCloseable {
    private final String servers;
    private final int timeoutMillis;
    private final String scheme;
    private final byte[] credentials;

    @GuardedBy("this")
    private @Nullable ZooKeeper session;

    @GuardedBy("this")
    private boolean closed;

    /** @param scheme of the credentials, for example digest; empty for none */
    public ZooKeeperSession(String servers, int timeoutMillis, String scheme, byte[] credentials) {
        this.servers = servers;
        this.timeoutMillis = timeoutMillis;
        this.scheme = scheme;
        this.credentials = credentials.clone();
    }

    /**
     * The connected session.
     *
     * @throws IOException if no server answers within the timeout
     */
    public synchronized ZooKeeper get() throws IOException, InterruptedException {
        if (closed) {
            throw new IOException("the session with ZooKeeper at " + servers + " is closed");
        }
        ZooKeeper current = session;
        if (current != null && current.getState().isAlive()) {
            return current;
        }
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper opened = new ZooKeeper(servers, timeoutMillis, event -> {
            if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        if (!scheme.isEmpty()) {
            opened.addAuthInfo(scheme, credentials);
        }
        if (!connected.await(timeoutMillis, TimeUnit.MILLISECONDS)) {
            opened.close();
            throw new IOException("ZooKeeper at " + servers + " does not answer within " + timeoutMillis + " ms");
        }
        session = opened;
        return opened;
    }

    public boolean hasCredentials() {
        return !scheme.isEmpty();
    }

    @Override
    public synchronized void close() {
        closed = true;
        ZooKeeper current = session;
        session = null;
        if (current != null) {
            try {
                current.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
