// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.reservation;

import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.apache.hadoop.yarn.api.records.ReservationACL;
import org.apache.hadoop.yarn.server.resourcemanager.reservation.ReservationSchedulerConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.QueuePath;
import org.heddle.scheduler.model.AccessList;
import org.heddle.scheduler.model.Plan;

/**
 * What YARN's reservation system asks about a queue, answered from the specification in force. Every question is there
 * twice, because Hadoop 3.5 asks by {@link QueuePath} and 3.4 by name; each line calls its own half.
 */
@SuppressWarnings("MissingOverride") // half of the methods override nothing on either line
public final class PlanTerms extends ReservationSchedulerConfiguration {
    private static final float PERCENT = 100;

    private final PlanQueues queues;

    PlanTerms(PlanQueues queues) {
        super(new org.apache.hadoop.conf.Configuration(false));
        this.queues = queues;
    }

    private Plan terms(String queue) {
        return queues.terms(queue);
    }

    private static AccessControlList list(AccessList list) {
        return new AccessControlList(
                list.everyone() ? "*" : String.join(",", list.users()) + " " + String.join(",", list.groups()));
    }

    public boolean isReservable(QueuePath queue) {
        return isReservable(queue.getFullPath());
    }

    public boolean isReservable(String queue) {
        return queues.find(queue) != null;
    }

    public Map<ReservationACL, AccessControlList> getReservationAcls(QueuePath queue) {
        return getReservationAcls(queue.getFullPath());
    }

    /** Who may do what. */
    public Map<ReservationACL, AccessControlList> getReservationAcls(String queue) {
        Plan.Access access = terms(queue).access();
        Map<ReservationACL, AccessControlList> lists = new EnumMap<>(ReservationACL.class);
        lists.put(ReservationACL.SUBMIT_RESERVATIONS, list(access.submit()));
        lists.put(ReservationACL.LIST_RESERVATIONS, list(access.list()));
        lists.put(ReservationACL.ADMINISTER_RESERVATIONS, list(access.administer()));
        return lists;
    }

    public long getReservationWindow(QueuePath queue) {
        return getReservationWindow(queue.getFullPath());
    }

    public long getReservationWindow(String queue) {
        return terms(queue).windowMillis();
    }

    public float getAverageCapacity(QueuePath queue) {
        return getAverageCapacity(queue.getFullPath());
    }

    public float getAverageCapacity(String queue) {
        return (float) terms(queue).average() * PERCENT;
    }

    public float getInstantaneousMaxCapacity(QueuePath queue) {
        return getInstantaneousMaxCapacity(queue.getFullPath());
    }

    public float getInstantaneousMaxCapacity(String queue) {
        return (float) terms(queue).peak() * PERCENT;
    }

    public String getReservationAdmissionPolicy(QueuePath queue) {
        return getReservationAdmissionPolicy(queue.getFullPath());
    }

    public String getReservationAdmissionPolicy(String queue) {
        return terms(queue).admission();
    }

    public String getReservationAgent(QueuePath queue) {
        return getReservationAgent(queue.getFullPath());
    }

    public String getReservationAgent(String queue) {
        return terms(queue).agent();
    }

    public boolean getShowReservationAsQueues(QueuePath queue) {
        return getShowReservationAsQueues(queue.getFullPath());
    }

    /** They are queues like any other here. */
    public boolean getShowReservationAsQueues(String queue) {
        return true;
    }

    public String getReplanner(QueuePath queue) {
        return getReplanner(queue.getFullPath());
    }

    public String getReplanner(String queue) {
        return terms(queue).planner();
    }

    public boolean getMoveOnExpiry(QueuePath queue) {
        return getMoveOnExpiry(queue.getFullPath());
    }

    public boolean getMoveOnExpiry(String queue) {
        return terms(queue).moves();
    }

    public long getEnforcementWindow(QueuePath queue) {
        return getEnforcementWindow(queue.getFullPath());
    }

    public long getEnforcementWindow(String queue) {
        return terms(queue).enforcementMillis();
    }
}
