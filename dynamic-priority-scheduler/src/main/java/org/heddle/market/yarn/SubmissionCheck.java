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
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.placement.PlacementManager;
import org.apache.hadoop.yarn.server.resourcemanager.placement.PlacementRule;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAddedSchedulerEvent;
import org.heddle.market.http.auth.VoucherService;
import org.heddle.market.http.config.WebKeys;
import org.heddle.market.model.naming.AccountNames;
import org.heddle.market.model.terms.SubmissionPolicy;
import org.heddle.market.security.RefusedException;
import org.heddle.scheduler.model.SchedulerSpec;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a user may submit to a queue and so spend its credits: by the access list, or by a voucher. The
 * check runs in the thread of the client's call, which returns one sentence if it fails; if it succeeds, it waits until
 * the ledger has stored the use of the voucher. Only then is the application stored. So recovery need not check again,
 * and a client whose call failed can repeat it with the same voucher. Thread-safe.
 */
final class SubmissionCheck {
    /** Limit of the applications between the client's call and the scheduler's event. */
    private static final int MAX_PENDING = 100_000;

    private final SubmissionPolicy policy;
    private final VoucherOpener opener;
    private final BiPredicate<String, String> listAdmits;
    private final Predicate<String> hasCredit;
    private final LongSupplier wallMillis;
    private final VoucherPlacementRule placementRule = new VoucherPlacementRule();
    private final Set<ApplicationId> admitted =
            Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<ApplicationId, Boolean> eldest) {
                    return size() > MAX_PENDING;
                }
            }));

    @GuardedBy("this")
    private @Nullable VoucherService vouchers;

    /** Opens the voucher service for the first voucher. */
    interface VoucherOpener {
        VoucherService open() throws RefusedException;
    }

    /**
     * @param listAdmits whether the access list of the queue with a path (second) admits a user (first)
     * @param hasCredit whether an account has credit; true if there is no such account, or no market yet
     */
    SubmissionCheck(
            SubmissionPolicy policy,
            VoucherOpener opener,
            BiPredicate<String, String> listAdmits,
            Predicate<String> hasCredit,
            LongSupplier wallMillis) {
        this.policy = policy;
        this.opener = opener;
        this.listAdmits = listAdmits;
        this.hasCredit = hasCredit;
        this.wallMillis = wallMillis;
    }

    /** Without a master key there are no vouchers. */
    static SubmissionPolicy policy(Configuration conf) throws IOException {
        SubmissionPolicy asked = MarketKeys.SUBMISSION.read(conf::get);
        boolean keys = conf.getPassword(WebKeys.MASTER_KEY.name()) != null;
        return asked == SubmissionPolicy.ACL_OR_VOUCHER && !keys ? SubmissionPolicy.ACL : asked;
    }

    /** Adds the rule that reads vouchers; called after the scheduler has set its own rules. */
    void install(@Nullable PlacementManager placement) {
        if (placement != null && policy != SubmissionPolicy.ACL) {
            List<PlacementRule> rules = new ArrayList<>();
            rules.add(placementRule);
            rules.addAll(placement.getPlacementRules());
            placement.updateRules(rules);
        }
    }

    /**
     * Checks a submission in the client's call. If no voucher is needed, or none is given and an access list may admit
     * the user, the queue's access list decides.
     *
     * @throws YarnException one sentence, if a needed voucher is missing, or is not valid for this application
     */
    void admit(ApplicationId id, String user, @Nullable String path, SchedulerSpec spec) throws YarnException {
        String tag = placementRule.take(id);
        if (policy == SubmissionPolicy.REFUSE_WITHOUT_CREDIT && path != null) {
            checkCredit("Application " + id + " is refused", path);
        }
        if (policy == SubmissionPolicy.ACL || path == null || !mayExist(path, spec) || needsNone(user, path, spec)) {
            return;
        }
        if (tag != null) {
            try {
                open().use(tag, id.toString(), AccountNames.account(path), user, wallMillis.getAsLong());
            } catch (RefusedException e) {
                throw new YarnException("Application " + id + " is refused: " + e.sentence());
            }
            admitted.add(id);
        } else if (policy == SubmissionPolicy.VOUCHER) {
            throw new YarnException(voucherOnly(id, path));
        }
    }

    private synchronized VoucherService open() throws RefusedException {
        if (vouchers == null) {
            vouchers = opener.open();
        }
        return vouchers;
    }

    boolean isAdmitted(ApplicationId id) {
        return admitted.contains(id);
    }

    /** The scheduler has accepted the application. */
    void forget(ApplicationId id) {
        admitted.remove(id);
    }

    /** Why an application without a client's call is refused; null if the access list decides. */
    @Nullable
    String refusal(AppAddedSchedulerEvent added, @Nullable String path, SchedulerSpec spec) {
        ApplicationId id = added.getApplicationId();
        if (policy != SubmissionPolicy.VOUCHER
                || path == null
                || isAdmitted(id)
                || needsNone(added.getUser(), path, spec)) {
            return null;
        }
        return voucherOnly(id, path);
    }

    /**
     * Refuses a move into a queue that needs a voucher.
     *
     * @throws YarnException one sentence
     */
    void checkMove(ApplicationId id, @Nullable String path, SchedulerSpec spec) throws YarnException {
        if (policy == SubmissionPolicy.VOUCHER && path != null && !admitsEverybody(path, spec)) {
            throw new YarnException("Application " + id + " cannot be moved to queue " + AccountNames.account(path)
                    + ", which accepts only applications with a voucher; submit it there with one");
        }
        if (policy == SubmissionPolicy.REFUSE_WITHOUT_CREDIT && path != null) {
            checkCredit("Application " + id + " cannot be moved", path);
        }
    }

    private void checkCredit(String what, String path) throws YarnException {
        String account = AccountNames.account(path);
        if (!hasCredit.test(account)) {
            throw new YarnException(what + ": account " + account
                    + " has no credit, and the market accepts no applications without credit; pay into it with heddle"
                    + " market pay");
        }
    }

    private static String voucherOnly(ApplicationId id, String path) {
        return "Application " + id + " is refused: queue " + AccountNames.account(path)
                + " accepts only applications with a voucher; create one with heddle market voucher and set it as an"
                + " application tag";
    }

    private boolean needsNone(String user, String path, SchedulerSpec spec) {
        return admitsEverybody(path, spec) || (policy != SubmissionPolicy.VOUCHER && listAdmits.test(user, path));
    }

    /** Whether the queue exists or would be created; the scheduler reports unknown queues. */
    private static boolean mayExist(String path, SchedulerSpec spec) {
        return spec.rules().newQueues() != null
                || spec.root().all().anyMatch(queue -> queue.path().equals(path));
    }

    static boolean admitsEverybody(String path, SchedulerSpec spec) {
        return spec.root()
                .all()
                .filter(queue -> queue.path().equals(path))
                .anyMatch(queue -> queue.submit().everyone());
    }
}
