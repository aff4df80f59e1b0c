// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client;

import org.apache.mesos.v1.Protos.TaskStatus;

/** The calls of an executor, from any thread. */
public interface ExecutorDriver {
    /** Runs until the executor must shut down, or the agent does not come back. */
    void run() throws InterruptedException;

    /** Sends the state of a task, again and again until the framework has acknowledged it. The driver adds a uuid. */
    void sendStatusUpdate(TaskStatus status);

    void sendFrameworkMessage(byte[] data);
}
