// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.heddle.packing.model.Plan;
import org.heddle.packing.run.Execution;
import org.heddle.packing.run.JobStatus;

/** Prints the progress of a run: one line for each change. */
final class RunProgress implements Execution.Listener {
    private final PrintWriter out;
    private String last = "";

    RunProgress(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void polled(int phase, int phases, Map<String, JobStatus> running) {
        List<String> parts = new ArrayList<>();
        running.forEach((job, status) -> parts.add(String.format(
                Locale.ROOT, "%s %d containers %.0f %%", job, status.containers(), 100 * status.progress())));
        String where = phases > 1 ? "phase " + phase + " of " + phases + ": " : "";
        String line = where + String.join(", ", parts);
        if (!parts.isEmpty() && !line.equals(last)) {
            say(line);
            last = line;
        }
    }

    @Override
    public void waits(String why) {
        String line = "waits, and running jobs go on: " + why;
        if (!line.equals(last)) {
            say(line);
            last = line;
        }
    }

    @Override
    public void ended(String job, JobStatus status) {
        if (status.state() == JobStatus.State.SUCCEEDED) {
            say(job + " done (" + status.application() + ")");
        } else {
            say(job + " FAILED (" + status.application() + "): " + status.trouble());
        }
    }

    @Override
    public void replanned(Plan plan, List<String> leftOut) {
        say(String.format(Locale.ROOT, "new plan for the remaining jobs: %.2f s", plan.makespan()));
        leftOut.forEach(job -> say(job + " has failed twice and is left out"));
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
