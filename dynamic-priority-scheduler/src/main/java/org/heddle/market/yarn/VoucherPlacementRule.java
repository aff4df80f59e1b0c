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
 * Reads the vouchers of submitted applications and places none. The ResourceManager passes a submission to its
 * placement rules, and a moment later its user and queue to the scheduler, in the same thread: that of the client's
 * call.
 */
final class VoucherPlacementRule extends PlacementRule {
    private record Seen(ApplicationId application, @Nullable String tag) {}

    private static final ThreadLocal<@Nullable Seen> LAST = new ThreadLocal<>();

    @Override
    public boolean initialize(ResourceScheduler scheduler) {
        return true;
    }

    @Override
    @SuppressWarnings("NullAway") // null: the next rule decides (PlacementManager.placeApplication)
    public ApplicationPlacementContext getPlacementForApp(ApplicationSubmissionContext submission, String user) {
        LAST.set(new Seen(submission.getApplicationId(), Voucher.among(submission.getApplicationTags())));
        return null;
    }

    /** The voucher of the application that this thread has just read; null if it has none. */
    @Nullable
    String take(ApplicationId application) {
        Seen seen = LAST.get();
        LAST.remove();
        return seen != null && seen.application().equals(application) ? seen.tag() : null;
    }
}
