// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.drf;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.heddle.demos.drf.Scenario.Tenant;

/**
 * What is printed at the end.
 *
 * @param checks in the order in which they are printed
 * @param home directory of the plots
 */
record Report(
        Scenario scenario,
        Map<String, Double> fair,
        ShareHistory history,
        JobBoard board,
        List<Check> checks,
        Path home) {
    void print(PrintStream out) {
        out.println();
        out.printf(
                "%-6s %-8s %-6s %-18s %8s %9s %6s %8s%n",
                "user", "queue", "weight", "demand of a task", "fair", "measured", "jobs", "seconds");
        for (Tenant tenant : scenario.tenants()) {
            out.printf(
                    Locale.ROOT,
                    "%-6s %-8s %-6s %-18s %7.1f%% %8.1f%% %6d %8.0f%n",
                    tenant.user(),
                    tenant.queue(),
                    scenario.queues().getOrDefault(tenant.queue(), 1) + " x " + tenant.weight(),
                    tenant.demand(),
                    100 * fair.getOrDefault(tenant.user(), 0.0),
                    100 * history.mean(tenant.user()),
                    board.finishedJobs(tenant.user()),
                    history.measuredSeconds());
        }
        out.println(
                "weight: of the queue x of the user in it; measured: time-weighted mean of the dominant share, from the");
        out.println("ResourceManager's REST, over the seconds in which all users had containers pending");
        out.println();
        for (Check check : checks) {
            out.println((check.holds() ? "ok      " : "FAILED  ") + check.what() + ": " + check.seen());
        }
        out.println();
        out.println("Plot: " + home.resolve("shares.png"));
        out.println("      " + home.resolve("shares.svg"));
    }
}
