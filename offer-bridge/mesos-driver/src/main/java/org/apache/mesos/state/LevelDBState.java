// SPDX-License-Identifier: Apache-2.0
package org.apache.mesos.state;

/** LevelDB is part of Mesos' native library: this class refuses to be made. */
public class LevelDBState extends RefusedState {
    /** @throws UnsupportedOperationException always */
    public LevelDBState(String path) {
        super("LevelDBState at " + path + " needs Mesos' native library: use ZooKeeperState");
    }
}
