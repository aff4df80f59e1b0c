// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import org.apache.mesos.v1.Protos.TaskState;
import org.heddle.offers.model.Resources;

/**
 * What is kept of a task that has ended, also after its framework.
 *
 * @param principal whose framework it was; empty without authentication
 * @param state Mesos' name of its last state
 * @param message of its last update
 * @param containerId the container that has or had its sandbox
 * @param output the end of what a command has written; empty for a task of an executor
 * @param endedAt by the monotonic clock, in ms
 */
public record EndedTask(
        String id,
        String framework,
        String principal,
        String hostname,
        String state,
        String message,
        Resources resources,
        String containerId,
        String sandbox,
        String output,
        long endedAt) {
    static EndedTask of(FrameworkTask task, TaskState state, String message, long now) {
        return new EndedTask(
                task.id(),
                task.framework().info().getName(),
                task.framework().info().getPrincipal(),
                task.container().hostname(),
                state.name(),
                message,
                task.resources(),
                task.container().id(),
                task.sandbox(),
                task.output(),
                now);
    }
}
