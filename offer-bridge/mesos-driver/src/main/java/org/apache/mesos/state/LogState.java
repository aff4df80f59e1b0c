// SPDX-License-Identifier: Apache-2.0
package org.apache.mesos.state;

import java.util.concurrent.TimeUnit;

/** Mesos' replicated log exists only in the native library: this class refuses to be made. */
public class LogState extends RefusedState {
    /** @throws UnsupportedOperationException always */
    public LogState(String servers, long timeout, TimeUnit unit, String znode, long quorum, String path) {
        this(servers, timeout, unit, znode, quorum, path, 0);
    }

    /** @throws UnsupportedOperationException always */
    public LogState(
            String servers,
            long timeout,
            TimeUnit unit,
            String znode,
            long quorum,
            String path,
            int diffsBetweenSnapshots) {
        super("LogState at " + path + " needs Mesos' native library: use ZooKeeperState at zk://" + servers + znode);
    }
}
