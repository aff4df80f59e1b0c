// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.tasks;

import org.apache.mesos.v1.Protos.TaskStatus;
import org.heddle.offers.master.state.FrameworkTask;
import org.heddle.offers.master.state.StateChange;

/** Receives the changes of the tasks of all frameworks. */
public interface TaskListener {
    void taskAdded(StateChange change, FrameworkTask task);

    void taskUpdated(StateChange change, FrameworkTask task, TaskStatus status);
}
