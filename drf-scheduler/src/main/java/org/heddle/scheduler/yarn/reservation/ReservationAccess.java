// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.reservation;

import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ReservationACL;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.security.ReservationsACLsManager;
import org.heddle.scheduler.model.AccessList;
import org.heddle.scheduler.model.Plan;

/**
 * Access to reservations by the active configuration. YARN's own class keeps the lists that it read when it was
 * created, in a map that only its package can fill.
 */
final class ReservationAccess extends ReservationsACLsManager {
    private final PlanQueues queues;

    ReservationAccess(Configuration conf, PlanQueues queues) throws YarnException {
        super(conf);
        this.queues = queues;
    }

    /**
     * The ResourceManager also asks with the queue of each submitted application ({@code
     * ClientRMService.submitApplication}). Only plans have lists of their own; for other queues the queue's own list
     * applies.
     */
    @Override
    public boolean checkAccess(UserGroupInformation user, ReservationACL acl, String queue) {
        if (queues.find(queue) == null) {
            return true;
        }
        Plan.Access access = queues.terms(queue).access();
        AccessList list = Objects.requireNonNull(
                switch (acl) {
                    case SUBMIT_RESERVATIONS -> access.submit();
                    case LIST_RESERVATIONS -> access.list();
                    case ADMINISTER_RESERVATIONS -> access.administer();
                });
        Set<String> groups = user.getGroupsSet();
        return list.allows(user.getShortUserName(), groups);
    }
}
