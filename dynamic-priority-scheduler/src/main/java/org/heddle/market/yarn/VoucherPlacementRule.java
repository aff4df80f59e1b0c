// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.server.resourcemanager.placement.ApplicationPlacementContext;
import org.apache.hadoop.yarn.server.resourcemanager.placement.PlacementRule;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.heddle.market.security.Voucher;
import org.jspecify.annotations.Nullable;

/**
 * Sees the vouchers of applications as they are submitted, and places none. The ResourceManager shows a submission to its
 * placement rules, and its user and queue to the scheduler a moment later, in the same thread: that of the client's call.
 */
final class VoucherPlacementRule extends PlacementRule {
    private record Spotted(
            ApplicationId application, @Nullable String tag) {}

    private static final ThreadLocal<@Nullable Spotted> LAST = new ThreadLocal<>();

    @Override
    public boolean initialize(ResourceScheduler scheduler) {
        return true;
    }

    @Override
    @SuppressWarnings("NullAway") // null: ask the next rule (PlacementManager.placeApplication)
    public ApplicationPlacementContext getPlacementForApp(ApplicationSubmissionContext submission, String user) {
        LAST.set(new Spotted(submission.getApplicationId(), Voucher.among(submission.getApplicationTags())));
        return null;
    }

    /** The voucher that this thread has just seen with an application; null if it brought none. */
    @Nullable
    String take(ApplicationId application) {
        Spotted spotted = LAST.get();
        LAST.remove();
        return spotted != null && spotted.application().equals(application) ? spotted.tag() : null;
    }
}
