// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client;

import java.util.List;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskInfo;

/**
 * Runs a framework's tasks on a node. One thread calls the methods, one after the other, so tasks need their own
 * threads.
 */
public interface Executor {
    default void registered(ExecutorDriver driver) {}

    void launchTask(ExecutorDriver driver, TaskInfo task);

    void killTask(ExecutorDriver driver, TaskID taskId);

    /** Starts the tasks of a group. By default it launches them one by one. */
    default void launchTaskGroup(ExecutorDriver driver, List<TaskInfo> tasks) {
        tasks.forEach(task -> launchTask(driver, task));
    }

    default void frameworkMessage(ExecutorDriver driver, byte[] data) {}

    /** Ends all tasks; the process is killed soon after. */
    default void shutdown(ExecutorDriver driver) {}
}
