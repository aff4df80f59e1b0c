// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client;

import java.util.Collection;
import java.util.Collections;
import org.apache.mesos.v1.Protos.AgentID;
import org.apache.mesos.v1.Protos.ExecutorID;
import org.apache.mesos.v1.Protos.ExecutorInfo;
import org.apache.mesos.v1.Protos.Filters;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.OfferID;
import org.apache.mesos.v1.Protos.Resource;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskStatus;

/**
 * The calls of a framework's scheduler, from any thread. A method returns after the response. As in Mesos, a call may
 * be lost with the connection: then offers come again, status updates come again, and tasks can be reconciled.
 */
public interface SchedulerDriver extends AutoCloseable {
    /** Subscribes and returns; call-backs follow. */
    void start();

    /** Waits until the driver has stopped; returns the error that stopped it, or an empty text. */
    String join() throws InterruptedException;

    /**
     * Stops the driver. With {@code failover} the tasks run on until the framework returns; without, the framework
     * ends.
     */
    void stop(boolean failover);

    /** Launches tasks on offers of one agent, and declines the rest of the offers with these filters. */
    void launchTasks(Collection<OfferID> offerIds, Collection<TaskInfo> tasks, Filters filters);

    default void launchTasks(Collection<OfferID> offerIds, Collection<TaskInfo> tasks) {
        launchTasks(offerIds, tasks, Filters.getDefaultInstance());
    }

    /**
     * Launches all tasks of a group or none, in one YARN container. With an executor of type DEFAULT, which has no
     * command, the tasks are commands, and all end when one fails or is killed. Any other executor gets them with one
     * call ({@link Executor#launchTaskGroup}).
     */
    void launchTaskGroup(
            Collection<OfferID> offerIds, ExecutorInfo executor, Collection<TaskInfo> tasks, Filters filters);

    void declineOffers(Collection<OfferID> offerIds, Filters filters);

    default void declineOffers(Collection<OfferID> offerIds) {
        declineOffers(offerIds, Filters.getDefaultInstance());
    }

    /** Says that the framework will end its tasks there. The bridge counts it; YARN takes the resources in any case. */
    void acceptInverseOffers(Collection<OfferID> inverseOfferIds);

    /** Says that it will not. */
    void declineInverseOffers(Collection<OfferID> inverseOfferIds);

    /**
     * Stops offers for these roles, or for all if there are none, until {@link #reviveOffers}: there is nothing to run.
     */
    void suppressOffers(Collection<String> roles);

    default void suppressOffers() {
        suppressOffers(Collections.emptyList());
    }

    /** Wants offers again for these roles, or for all if there are none, also those that it has declined. */
    void reviveOffers(Collection<String> roles);

    default void reviveOffers() {
        reviveOffers(Collections.emptyList());
    }

    /**
     * Changes roles, requirements and other fields of the framework, now and for each later subscription.
     *
     * @param suppressedRoles for which no offers are wanted
     */
    void updateFramework(FrameworkInfo info, Collection<String> suppressedRoles);

    /** Sets the size that offers should have; the bridge asks YARN for such containers. */
    void requestResources(Collection<Resource> size);

    void killTask(TaskID taskId);

    /** Ends an executor, with its tasks. */
    void shutdownExecutor(ExecutorID executorId, AgentID agentId);

    /** Asks for the state of these tasks, or of all tasks if the list is empty. */
    void reconcileTasks(Collection<TaskStatus> tasks);

    void sendFrameworkMessage(ExecutorID executorId, AgentID agentId, byte[] data);

    /** Ends the framework and its tasks. */
    @Override
    default void close() {
        stop(false);
    }
}
