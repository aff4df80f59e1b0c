// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import java.io.IOException;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAddedSchedulerEvent;
import org.heddle.market.http.WebKeys;
import org.heddle.market.model.SubmissionPolicy;
import org.heddle.market.security.Voucher;
import org.heddle.scheduler.model.SchedulerSpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who may submit to a queue and so spend its credits: whom its list admits, or who brings a voucher. An application with a
 * voucher stands aside until that is written down, and then comes again. Called by the ResourceManager's dispatcher.
 */
final class Submissions {
    private static final Logger LOG = LoggerFactory.getLogger(Submissions.class);

    private final SubmissionPolicy policy;
    private final VoucherGate gate;
    private final Supplier<RMContext> context;
    private final BiPredicate<String, String> listAdmits;

    /** @param listAdmits whether a user (first) may submit to the queue of a path (second), by its list */
    Submissions(
            SubmissionPolicy policy,
            VoucherGate gate,
            Supplier<RMContext> context,
            BiPredicate<String, String> listAdmits) {
        this.policy = policy;
        this.gate = gate;
        this.context = context;
        this.listAdmits = listAdmits;
    }

    /** Without a master key there are no vouchers, and who may not submit is told at once. */
    static SubmissionPolicy policy(Configuration conf) throws IOException {
        SubmissionPolicy asked = MarketKeys.SUBMISSION.read(conf::get);
        boolean keys = conf.getPassword(WebKeys.MASTER_KEY.name()) != null;
        return asked == SubmissionPolicy.ACL_OR_VOUCHER && !keys ? SubmissionPolicy.ACL : asked;
    }

    boolean countVouchers() {
        return policy != SubmissionPolicy.ACL;
    }

    /**
     * Whether an application does not go on to the queues now: its voucher is being checked, or it is refused.
     *
     * @param path of its queue; null if there is none
     */
    boolean holdsUp(AppAddedSchedulerEvent added, @Nullable String path, SchedulerSpec spec) {
        ApplicationId id = added.getApplicationId();
        RMApp app = context.get().getRMApps().get(id);
        if (added.getIsAppRecovering() || !countVouchers() || app == null) {
            return false;
        }
        if (gate.isAdmitted(id)) {
            boolean gone = app.getState() != RMAppState.SUBMITTED; // killed while its voucher was written down
            if (gone) {
                gate.forget(id);
            }
            return gone;
        }
        if (path == null || needsNone(added.getUser(), path, spec)) {
            return false;
        }
        String tag = Voucher.among(app.getApplicationTags());
        if (tag != null) {
            gate.use(tag, id, MarketQueues.name(path), added.getUser(), (application, refusal) -> {
                if (refusal == null) {
                    context.get().getDispatcher().getEventHandler().handle(added);
                } else {
                    refuse(application, refusal);
                }
            });
            return true;
        }
        if (policy == SubmissionPolicy.VOUCHER) {
            refuse(
                    id,
                    "Application " + id + " is refused: queue " + MarketQueues.name(path)
                            + " takes applications with a voucher only; make one with heddle-market voucher and give it"
                            + " as an application tag");
            return true;
        }
        return false; // the queue's list says why not
    }

    private boolean needsNone(String user, String path, SchedulerSpec spec) {
        boolean everybody = spec.root()
                .all()
                .anyMatch(queue -> queue.path().equals(path) && queue.submit().everyone());
        return everybody || (policy == SubmissionPolicy.ACL_OR_VOUCHER && listAdmits.test(user, path));
    }

    private void refuse(ApplicationId application, String why) {
        LOG.info("{}", why);
        context.get()
                .getDispatcher()
                .getEventHandler()
                .handle(new RMAppEvent(application, RMAppEventType.APP_REJECTED, why));
    }
}
