// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client;

import org.apache.mesos.v1.Protos.TaskStatus;

/** What an executor can tell. Any thread. */
public interface ExecutorDriver {
    /** Serves until it is told to shut down, or the agent is gone for good. */
    void run() throws InterruptedException;

    /** Tells a task's state; it is told again until the framework has acknowledged it. A uuid is added. */
    void sendStatusUpdate(TaskStatus status);

    void sendFrameworkMessage(byte[] data);
}
