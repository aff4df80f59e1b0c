// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.report;

import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt.AMState;
import org.heddle.scheduler.yarn.app.Ask;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.queue.QueueTree;

/**
 * Names in an application's diagnostics the limit that keeps its ApplicationMaster from a container. The engine passes
 * such an application over without a test, so that heartbeats do not see the limit. Under the scheduler's lock.
 */
final class MasterDiagnostics {
    private final QueueTree queues;
    private final Explainer explainer;

    MasterDiagnostics(QueueTree queues, Explainer explainer) {
        this.queues = queues;
        this.explainer = explainer;
    }

    /** Writes those of all applications that wait for their ApplicationMaster. */
    void publish() {
        HeddleApplication.of(queues.root()).forEach(this::publish);
    }

    private void publish(HeddleApplication application) {
        HeddleAttempt attempt = application.getCurrentAppAttempt();
        if (attempt == null || !attempt.awaitsMaster()) {
            return;
        }
        for (Ask ask : attempt.asks()) {
            String limit = explainer.overLimit(attempt, ask);
            if (limit != null) {
                attempt.updateAMContainerDiagnostics(
                        AMState.ACTIVATED,
                        "waiting: the ApplicationMaster of " + explainer.words(ask) + " would exceed " + limit);
            }
        }
    }
}
