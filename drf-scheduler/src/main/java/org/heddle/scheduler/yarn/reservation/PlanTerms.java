// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.reservation;

import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.apache.hadoop.yarn.api.records.ReservationACL;
import org.apache.hadoop.yarn.server.resourcemanager.reservation.ReservationSchedulerConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.QueuePath;
import org.heddle.scheduler.model.Plan;
import org.heddle.scheduler.yarn.queue.QueueAccess;

/**
 * Answers the questions of YARN's reservation system about a queue from the active configuration. Each question
 * exists twice, because Hadoop 3.5 asks with a {@link QueuePath} and 3.4 with a name; each line calls one of the two.
 */
@SuppressWarnings("MissingOverride") // half of the methods override nothing on each line
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

    public boolean isReservable(QueuePath queue) {
        return isReservable(queue.getFullPath());
    }

    public boolean isReservable(String queue) {
        return queues.find(queue) != null;
    }

    public Map<ReservationACL, AccessControlList> getReservationAcls(QueuePath queue) {
        return getReservationAcls(queue.getFullPath());
    }

    /** The access lists for reservations. */
    public Map<ReservationACL, AccessControlList> getReservationAcls(String queue) {
        Plan.Access access = terms(queue).access();
        Map<ReservationACL, AccessControlList> lists = new EnumMap<>(ReservationACL.class);
        lists.put(ReservationACL.SUBMIT_RESERVATIONS, QueueAccess.hadoopList(access.submit()));
        lists.put(ReservationACL.LIST_RESERVATIONS, QueueAccess.hadoopList(access.list()));
        lists.put(ReservationACL.ADMINISTER_RESERVATIONS, QueueAccess.hadoopList(access.administer()));
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

    /** The queues of reservations are shown like all other queues. */
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
