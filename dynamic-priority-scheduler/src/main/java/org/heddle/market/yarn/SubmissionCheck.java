// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.placement.PlacementManager;
import org.apache.hadoop.yarn.server.resourcemanager.placement.PlacementRule;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAddedSchedulerEvent;
import org.heddle.market.http.auth.VoucherService;
import org.heddle.market.http.config.WebKeys;
import org.heddle.market.model.terms.SubmissionPolicy;
import org.heddle.market.security.RefusedException;
import org.heddle.scheduler.model.SchedulerSpec;
import org.jspecify.annotations.Nullable;

/**
 * Who may submit to a queue and so spend its credits: whom its list admits, or who brings a voucher. That is asked in the
 * thread of the client's call, which is answered with a sentence if it is refused, and waits until its voucher is written
 * into the books otherwise. Only then is the application stored: so whoever recovers it need not ask again, and a client
 * whose call was cut off can repeat it with the same voucher. Thread-safe.
 */
final class SubmissionCheck {
    /** More than can be between a client's call and the scheduler at once. */
    private static final int MOST_ON_THE_WAY = 100_000;

    private final SubmissionPolicy policy;
    private final Desk opener;
    private final BiPredicate<String, String> listAdmits;
    private final LongSupplier wallMillis;
    private final VoucherPlacementRule spotter = new VoucherPlacementRule();
    private final Set<ApplicationId> admitted =
            Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<ApplicationId, Boolean> eldest) {
                    return size() > MOST_ON_THE_WAY;
                }
            }));

    @GuardedBy("this")
    private @Nullable VoucherService desk;

    /** Opens the desk when the first voucher comes. */
    interface Desk {
        VoucherService open() throws RefusedException;
    }

    /** @param listAdmits whether a user (first) may submit to the queue of a path (second), by its list */
    SubmissionCheck(
            SubmissionPolicy policy, Desk opener, BiPredicate<String, String> listAdmits, LongSupplier wallMillis) {
        this.policy = policy;
        this.opener = opener;
        this.listAdmits = listAdmits;
        this.wallMillis = wallMillis;
    }

    /** Without a master key there are no vouchers. */
    static SubmissionPolicy policy(Configuration conf) throws IOException {
        SubmissionPolicy asked = MarketKeys.SUBMISSION.read(conf::get);
        boolean keys = conf.getPassword(WebKeys.MASTER_KEY.name()) != null;
        return asked == SubmissionPolicy.ACL_OR_VOUCHER && !keys ? SubmissionPolicy.ACL : asked;
    }

    /** To be called once the scheduler has set its own rules. */
    void watch(@Nullable PlacementManager placement) {
        if (placement != null && policy != SubmissionPolicy.ACL) {
            List<PlacementRule> rules = new ArrayList<>();
            rules.add(spotter);
            rules.addAll(placement.getPlacementRules());
            placement.updateRules(rules);
        }
    }

    /**
     * Asked while the client waits. Whoever needs no voucher, and whoever brings none where a list may admit them, is left
     * to the queue's list.
     *
     * @throws YarnException one sentence, if there is no voucher where one is needed, or it is not good for this
     */
    void admit(ApplicationId id, String user, @Nullable String path, SchedulerSpec spec) throws YarnException {
        String tag = spotter.take(id);
        if (policy == SubmissionPolicy.ACL || path == null || !mayBecome(path, spec) || needsNone(user, path, spec)) {
            return;
        }
        if (tag != null) {
            try {
                open().use(tag, id.toString(), MarketQueues.name(path), user, wallMillis.getAsLong());
            } catch (RefusedException e) {
                throw new YarnException("Application " + id + " is refused: " + e.sentence());
            }
            admitted.add(id);
        } else if (policy == SubmissionPolicy.VOUCHER) {
            throw new YarnException(voucherOnly(id, path));
        }
    }

    private synchronized VoucherService open() throws RefusedException {
        if (desk == null) {
            desk = opener.open();
        }
        return desk;
    }

    boolean isAdmitted(ApplicationId id) {
        return admitted.contains(id);
    }

    /** The application has come in. */
    void forget(ApplicationId id) {
        admitted.remove(id);
    }

    /** Why an application that did not come through a client's call may not come in; null if it is left to the list. */
    @Nullable
    String refusal(AppAddedSchedulerEvent added, @Nullable String path, SchedulerSpec spec) {
        ApplicationId id = added.getApplicationId();
        return policy != SubmissionPolicy.VOUCHER
                        || path == null
                        || isAdmitted(id)
                        || needsNone(added.getUser(), path, spec)
                ? null
                : voucherOnly(id, path);
    }

    /**
     * Where a voucher is needed to come in, nobody comes in by another door.
     *
     * @throws YarnException one sentence
     */
    void checkMove(ApplicationId id, @Nullable String path, SchedulerSpec spec) throws YarnException {
        if (policy == SubmissionPolicy.VOUCHER && path != null && !admitsEverybody(path, spec)) {
            throw new YarnException("Application " + id + " cannot be moved to queue " + MarketQueues.name(path)
                    + ", which takes applications with a voucher only; submit it there with one");
        }
    }

    private static String voucherOnly(ApplicationId id, String path) {
        return "Application " + id + " is refused: queue " + MarketQueues.name(path)
                + " takes applications with a voucher only; make one with heddle-market voucher and give it as an"
                + " application tag";
    }

    private boolean needsNone(String user, String path, SchedulerSpec spec) {
        return admitsEverybody(path, spec)
                || (policy == SubmissionPolicy.ACL_OR_VOUCHER && listAdmits.test(user, path));
    }

    /** Whether there is such a queue, or one would be made; the scheduler says so if not. */
    private static boolean mayBecome(String path, SchedulerSpec spec) {
        return spec.rules().newQueues() != null
                || spec.root().all().anyMatch(queue -> queue.path().equals(path));
    }

    private static boolean admitsEverybody(String path, SchedulerSpec spec) {
        return spec.root()
                .all()
                .filter(queue -> queue.path().equals(path))
                .anyMatch(queue -> queue.submit().everyone());
    }
}
