// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client;

import java.util.List;
import org.apache.mesos.v1.Protos.AgentID;
import org.apache.mesos.v1.Protos.ExecutorID;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.InverseOffer;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.OfferID;
import org.apache.mesos.v1.Protos.TaskStatus;

/**
 * What a framework decides. All methods are called by one thread of the driver, one after the other; they may call the
 * driver. A method that throws aborts the driver.
 */
public interface Scheduler {
    /** Subscribed; also after a reconnect, when tasks may have changed meanwhile: reconcile them. */
    void registered(SchedulerDriver driver, FrameworkID frameworkId, boolean again);

    /** The connection is lost; the driver is trying to come back. Offers that were not answered are gone. */
    default void disconnected(SchedulerDriver driver) {}

    /** Each offer must be answered: launch tasks, or decline. */
    void resourceOffers(SchedulerDriver driver, List<Offer> offers);

    default void offerRescinded(SchedulerDriver driver, OfferID offerId) {}

    /** Agents will be taken, at the time that each names: free them if you can. */
    default void inverseOffers(SchedulerDriver driver, List<InverseOffer> offers) {}

    /** A task's state changed. The driver acknowledges it when this method has returned. */
    void statusUpdate(SchedulerDriver driver, TaskStatus status);

    default void frameworkMessage(SchedulerDriver driver, ExecutorID executorId, AgentID agentId, byte[] data) {}

    /** @param status as waitpid gives it */
    default void executorLost(SchedulerDriver driver, ExecutorID executorId, AgentID agentId, int status) {}

    default void agentLost(SchedulerDriver driver, AgentID agentId) {}

    /** The framework cannot go on; the driver has stopped. */
    default void error(SchedulerDriver driver, String message) {}
}
