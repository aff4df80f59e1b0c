// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client;

import java.util.List;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskInfo;

/** What runs a framework's tasks on a node. Methods are called by one thread, one after the other: start threads. */
public interface Executor {
    default void registered(ExecutorDriver driver) {}

    void launchTask(ExecutorDriver driver, TaskInfo task);

    void killTask(ExecutorDriver driver, TaskID taskId);

    /** Start these tasks, which belong together; one by one unless said otherwise. */
    default void launchTaskGroup(ExecutorDriver driver, List<TaskInfo> tasks) {
        tasks.forEach(task -> launchTask(driver, task));
    }

    default void frameworkMessage(ExecutorDriver driver, byte[] data) {}

    /** End everything; the process is killed soon. */
    default void shutdown(ExecutorDriver driver) {}
}
