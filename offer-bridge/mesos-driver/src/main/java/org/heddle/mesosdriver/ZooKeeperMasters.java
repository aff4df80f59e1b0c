// SPDX-License-Identifier: Apache-2.0
package org.heddle.mesosdriver;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.heddle.offers.client.protocol.Masters;

/**
 * Reads the leader as Mesos' masters and bridges publish it: the first {@code json.info_} node, with a MasterInfo in
 * JSON.
 */
final class ZooKeeperMasters implements Masters {
    static final int SESSION_MILLIS = 10_000;
    private static final String INFO = "json.info_";
    private static final Pattern PID = Pattern.compile("\"pid\"\\s*:\\s*\"[^@\"]*@([^\"]+)\"");

    private final ZooKeeperSession session;
    private final String path;
    private final boolean tls;

    ZooKeeperMasters(ZooKeeperSession session, String path, boolean tls) {
        this.session = session;
        this.path = path;
        this.tls = tls;
    }

    @Override
    public URI master(int attempt) throws IOException {
        try {
            ZooKeeper zooKeeper = session.get();
            Optional<String> leader = zooKeeper.getChildren(path, false).stream()
                    .filter(name -> name.startsWith(INFO))
                    .min(Comparator.naturalOrder());
            if (!leader.isPresent()) {
                throw new IOException("ZooKeeper names no leader at " + path);
            }
            return MasterUrl.address(pid(zooKeeper.getData(path + "/" + leader.get(), false, null)), tls);
        } catch (KeeperException e) {
            throw new IOException("cannot read the leader in ZooKeeper at " + path + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while reading the leader in ZooKeeper at " + path, e);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Mesos' pid of a master is {@code master@host:port}. */
    static String pid(byte[] masterInfo) throws IOException {
        String json = new String(masterInfo, StandardCharsets.UTF_8);
        Matcher pid = PID.matcher(json.replace("\\/", "/"));
        if (!pid.find()) {
            throw new IOException("ZooKeeper names a leader without a pid: " + json);
        }
        return pid.group(1);
    }

    @Override
    public void close() {
        session.close();
    }
}
