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
 * The call-backs of a framework's scheduler. One thread of the driver calls them, one after the other, and they may
 * call the driver. The driver stops when a method throws.
 */
public interface Scheduler {
    /** The framework is subscribed. After a reconnect tasks may have changed, so reconcile them. */
    void registered(SchedulerDriver driver, FrameworkID frameworkId, boolean again);

    /** The connection is lost, and the driver reconnects. Offers without an answer are no longer valid. */
    default void disconnected(SchedulerDriver driver) {}

    /** New offers. Answer each one: launch tasks, or decline it. */
    void resourceOffers(SchedulerDriver driver, List<Offer> offers);

    default void offerRescinded(SchedulerDriver driver, OfferID offerId) {}

    /** The cluster wants agents back, each at the time that its inverse offer names. End their tasks if possible. */
    default void inverseOffers(SchedulerDriver driver, List<InverseOffer> offers) {}

    /** The state of a task has changed. The driver acknowledges it after this method. */
    void statusUpdate(SchedulerDriver driver, TaskStatus status);

    default void frameworkMessage(SchedulerDriver driver, ExecutorID executorId, AgentID agentId, byte[] data) {}

    /** @param status as waitpid gives it */
    default void executorLost(SchedulerDriver driver, ExecutorID executorId, AgentID agentId, int status) {}

    default void agentLost(SchedulerDriver driver, AgentID agentId) {}

    /** The driver has stopped because of an error. */
    default void error(SchedulerDriver driver, String message) {}
}
