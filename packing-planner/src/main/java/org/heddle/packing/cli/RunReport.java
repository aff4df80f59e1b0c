// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.heddle.packing.chart.Actual;
import org.heddle.packing.run.JobStatus;
import org.heddle.packing.run.RunOutcome;

/** Predicted and actual times of a run, as text, as JSON and for charts. */
final class RunReport {
    private RunReport() {}

    static void print(RunOutcome outcome, PrintWriter out) {
        out.println();
        row(
                out,
                "%-24s %4s %5s %6s %12s %12s %9s %10s%s",
                "job",
                "plan",
                "phase",
                "VMs",
                "predicted s",
                "actual s",
                "error",
                "containers",
                "");
        for (RunOutcome.JobOutcome job : outcome.jobs()) {
            row(
                    out,
                    "%-24s %4d %5d %6d %12.2f %12.2f %+8.1f%% %10d%s",
                    job.job(),
                    job.plan(),
                    job.phase(),
                    job.vms(),
                    job.predicted(),
                    job.actual(),
                    percent(job.actual(), job.predicted()),
                    job.mostContainers(),
                    job.status().state() == JobStatus.State.SUCCEEDED ? "" : "  FAILED");
        }
        for (RunOutcome.PhaseOutcome phase : outcome.phases()) {
            row(
                    out,
                    "%sphase %d: predicted %.2f s, actual %.2f s (%+.1f %%), %.2f s until YARN knew the jobs",
                    phase.plan() == 0 ? "" : "plan " + phase.plan() + ", ",
                    phase.number(),
                    phase.predicted(),
                    phase.actual(),
                    percent(phase.actual(), phase.predicted()),
                    phase.overhead());
        }
        row(
                out,
                "all: predicted %.2f s, actual %.2f s (%+.1f %%)%s",
                outcome.predicted(),
                outcome.actual(),
                percent(outcome.actual(), outcome.predicted()),
                utilisation(outcome));
        out.flush();
    }

    private static String utilisation(RunOutcome outcome) {
        if (Double.isNaN(outcome.utilisation())) {
            return "";
        }
        return String.format(Locale.ROOT, ", %.0f %% of the slots in use", 100 * outcome.utilisation());
    }

    /** The report as JSON; format version 1. */
    static JsonNode json(RunOutcome outcome) {
        ObjectNode root = new ObjectMapper().createObjectNode();
        root.put("version", 1).put("predicted", outcome.predicted()).put("actual", outcome.actual());
        if (!Double.isNaN(outcome.utilisation())) {
            root.put("utilisation", outcome.utilisation());
        }
        ArrayNode phases = root.putArray("phases");
        for (RunOutcome.PhaseOutcome phase : outcome.phases()) {
            phases.addObject()
                    .put("plan", phase.plan())
                    .put("phase", phase.number())
                    .put("predicted", phase.predicted())
                    .put("actual", phase.actual())
                    .put("overhead", phase.overhead());
        }
        ArrayNode jobs = root.putArray("jobs");
        for (RunOutcome.JobOutcome job : outcome.jobs()) {
            jobs.addObject()
                    .put("job", job.job())
                    .put("plan", job.plan())
                    .put("phase", job.phase())
                    .put("vms", job.vms())
                    .put("predicted", job.predicted())
                    .put("actual", job.actual())
                    .put("containers", job.mostContainers())
                    .put("application", job.status().application())
                    .put("succeeded", job.status().state() == JobStatus.State.SUCCEEDED);
        }
        return root;
    }

    private static double percent(double actual, double predicted) {
        return 100 * (actual / predicted - 1);
    }

    private static void row(PrintWriter out, String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
    }

    /** The last run of each job, on the time axis of the plan. */
    static List<Actual> actuals(RunOutcome outcome) {
        long first = outcome.jobs().stream()
                .mapToLong(RunOutcome.JobOutcome::launched)
                .min()
                .orElse(0);
        return outcome.last().stream()
                .map(j -> new Actual(j.job(), (j.launched() - first) / 1000.0, j.actual()))
                .toList();
    }
}
