// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client;

import java.util.Collection;
import org.apache.mesos.v1.Protos.AgentID;
import org.apache.mesos.v1.Protos.ExecutorID;
import org.apache.mesos.v1.Protos.ExecutorInfo;
import org.apache.mesos.v1.Protos.Filters;
import org.apache.mesos.v1.Protos.OfferID;
import org.apache.mesos.v1.Protos.Resource;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskStatus;

/**
 * The calls of a framework's scheduler, from any thread. A method returns after the response. As in Mesos, a call may be lost
 * with the connection: then offers come again, status updates come again, and tasks can be reconciled.
 */
public interface SchedulerDriver extends AutoCloseable {
    /** Subscribes and returns; call-backs follow. */
    void start();

    /** Waits until the driver has stopped; returns the error that stopped it, or an empty text. */
    String join() throws InterruptedException;

    /** Stops the driver. With {@code failover} the tasks run on until the framework returns; without, the framework ends. */
    void stop(boolean failover);

    /** Launches tasks on offers of one agent, and declines the rest of the offers with these filters. */
    void launchTasks(Collection<OfferID> offerIds, Collection<TaskInfo> tasks, Filters filters);

    default void launchTasks(Collection<OfferID> offerIds, Collection<TaskInfo> tasks) {
        launchTasks(offerIds, tasks, Filters.getDefaultInstance());
    }

    /**
     * Launches all tasks of a group or none, in one YARN container. With an executor of type DEFAULT, which has no command, the
     * tasks are commands, and all end when one fails or is killed. Any other executor gets them with one call ({@link
     * Executor#launchTaskGroup}).
     */
    void launchTaskGroup(
            Collection<OfferID> offerIds, ExecutorInfo executor, Collection<TaskInfo> tasks, Filters filters);

    void declineOffers(Collection<OfferID> offerIds, Filters filters);

    default void declineOffers(Collection<OfferID> offerIds) {
        declineOffers(offerIds, Filters.getDefaultInstance());
    }

    /** Stops offers until {@link #reviveOffers}. Call it when there is nothing to run. */
    void suppressOffers();

    void reviveOffers();

    /** Sets the size that offers should have; the bridge asks YARN for such containers. */
    void requestResources(Collection<Resource> size);

    void killTask(TaskID taskId);

    /** Asks for the state of these tasks, or of all tasks if the list is empty. */
    void reconcileTasks(Collection<TaskStatus> tasks);

    void sendFrameworkMessage(ExecutorID executorId, AgentID agentId, byte[] data);

    /** Ends the framework and its tasks. */
    @Override
    default void close() {
        stop(false);
    }
}
