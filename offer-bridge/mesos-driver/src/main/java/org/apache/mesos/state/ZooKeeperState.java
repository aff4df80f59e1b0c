// SPDX-License-Identifier: Apache-2.0
package org.apache.mesos.state;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.heddle.mesosdriver.ZooKeeperSession;

/**
 * Keeps variables as nodes of ZooKeeper below one path, in Mesos' own format: what the native library has stored can be
 * read, and the other way round. ZooKeeper takes values of up to 1 MB.
 */
public class ZooKeeperState extends AbstractState {
    private static final int LARGEST = 1024 * 1024;

    private final ZooKeeperSession session;
    private final String path;

    /**
     * @param servers host:port,host:port
     * @param timeout of the session
     * @param znode the path
     */
    public ZooKeeperState(String servers, long timeout, TimeUnit unit, String znode) {
        this(servers, timeout, unit, znode, "", new byte[0]);
    }

    /** @param scheme of the credentials, for example digest */
    public ZooKeeperState(
            String servers, long timeout, TimeUnit unit, String znode, String scheme, byte[] credentials) {
        this.session = new ZooKeeperSession(
                servers, (int) Math.min(Integer.MAX_VALUE, unit.toMillis(timeout)), scheme, credentials);
        this.path = znode.endsWith("/") ? znode.substring(0, znode.length() - 1) : znode;
    }

    private String node(String name) {
        return path + "/" + name;
    }

    @Override
    StateEntry load(String name) throws Exception {
        try {
            return StateEntry.parse(session.get().getData(node(name), false, null));
        } catch (KeeperException.NoNodeException e) {
            return StateEntry.fresh(name);
        }
    }

    @Override
    boolean swap(StateEntry version, StateEntry next) throws Exception {
        byte[] bytes = next.toBytes();
        if (bytes.length > LARGEST) {
            throw new IOException("the variable '" + next.name() + "' has " + bytes.length
                    + " bytes: ZooKeeper takes at most " + LARGEST);
        }
        ZooKeeper zooKeeper = session.get();
        try {
            Stat stat = new Stat();
            StateEntry stored = StateEntry.parse(zooKeeper.getData(node(next.name()), false, stat));
            if (!stored.isSameVersion(version)) {
                return false;
            }
            zooKeeper.setData(node(next.name()), bytes, stat.getVersion());
            return true;
        } catch (KeeperException.NoNodeException e) {
            return create(zooKeeper, next.name(), bytes);
        } catch (KeeperException.BadVersionException e) {
            return false;
        }
    }

    private boolean create(ZooKeeper zooKeeper, String name, byte[] bytes) throws Exception {
        for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
            createIfAbsent(zooKeeper, path.substring(0, slash), new byte[0]);
        }
        if (!path.isEmpty()) {
            createIfAbsent(zooKeeper, path, new byte[0]);
        }
        return createIfAbsent(zooKeeper, node(name), bytes);
    }

    private boolean createIfAbsent(ZooKeeper zooKeeper, String node, byte[] bytes) throws Exception {
        try {
            zooKeeper.create(node, bytes, acl(), CreateMode.PERSISTENT);
            return true;
        } catch (KeeperException.NodeExistsException e) {
            return false;
        }
    }

    private List<ACL> acl() {
        if (!session.hasCredentials()) {
            return ZooDefs.Ids.OPEN_ACL_UNSAFE;
        }
        List<ACL> acl = new ArrayList<>(ZooDefs.Ids.CREATOR_ALL_ACL);
        acl.addAll(ZooDefs.Ids.READ_ACL_UNSAFE);
        return acl;
    }

    @Override
    boolean remove(StateEntry version) throws Exception {
        ZooKeeper zooKeeper = session.get();
        try {
            Stat stat = new Stat();
            StateEntry stored = StateEntry.parse(zooKeeper.getData(node(version.name()), false, stat));
            if (!stored.isSameVersion(version)) {
                return false;
            }
            zooKeeper.delete(node(version.name()), stat.getVersion());
            return true;
        } catch (KeeperException.NoNodeException | KeeperException.BadVersionException e) {
            return false;
        }
    }

    @Override
    List<String> list() throws Exception {
        try {
            return session.get().getChildren(path.isEmpty() ? "/" : path, false);
        } catch (KeeperException.NoNodeException e) {
            return Collections.emptyList();
        }
    }
}
