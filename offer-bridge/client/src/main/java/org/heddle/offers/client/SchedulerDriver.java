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
 * What a framework can do. Methods return when the call has been answered; a call that the other side could not take is
 * lost, as in Mesos: offers come back, updates are sent again, tasks can be reconciled. Any thread.
 */
public interface SchedulerDriver extends AutoCloseable {
    /** Subscribes and returns; call-backs begin. */
    void start();

    /** Waits until the driver has stopped; returns the error that stopped it, or an empty text. */
    String join() throws InterruptedException;

    /** Ends. With {@code failover} the framework's tasks run on and wait for it; without, it is torn down. */
    void stop(boolean failover);

    /** Launches tasks on offers of one agent. What they leave of the offers is refused as the filters say. */
    void launchTasks(Collection<OfferID> offerIds, Collection<TaskInfo> tasks, Filters filters);

    default void launchTasks(Collection<OfferID> offerIds, Collection<TaskInfo> tasks) {
        launchTasks(offerIds, tasks, Filters.getDefaultInstance());
    }

    /**
     * Launches tasks together or not at all, in one container of the cluster. With an executor of type DEFAULT, which has no
     * command, they are commands, and one that fails or is killed takes the others with it; otherwise the executor gets
     * them at once ({@link Executor#launchTaskGroup}).
     */
    void launchTaskGroup(
            Collection<OfferID> offerIds, ExecutorInfo executor, Collection<TaskInfo> tasks, Filters filters);

    void declineOffers(Collection<OfferID> offerIds, Filters filters);

    default void declineOffers(Collection<OfferID> offerIds) {
        declineOffers(offerIds, Filters.getDefaultInstance());
    }

    /** No more offers until {@link #reviveOffers}: do this when there is nothing to run. */
    void suppressOffers();

    void reviveOffers();

    /** Names the size that offers should have; the bridge asks the cluster for it. */
    void requestResources(Collection<Resource> size);

    void killTask(TaskID taskId);

    /** Asks for the state of these tasks, or of all when none is named. */
    void reconcileTasks(Collection<TaskStatus> tasks);

    void sendFrameworkMessage(ExecutorID executorId, AgentID agentId, byte[] data);

    /** Tears the framework down. */
    @Override
    default void close() {
        stop(false);
    }
}
