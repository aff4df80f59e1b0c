// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.run.RunOutcome;
import org.heddle.settings.command.CommandException;
import picocli.CommandLine.Option;

/**
 * How to run jobs on the cluster of the Hadoop configuration; run and profile share these options. picocli loads this
 * class for the help text, also without Hadoop on the class path; {@link ClusterRun} needs Hadoop.
 */
final class ClusterOptions {
    @Option(
            names = "--state",
            defaultValue = "heddle-pack-runs",
            paramLabel = "DIR",
            description = "Directory of the journal and of the output of programs. Default:" + " ${DEFAULT-VALUE}.")
    @SuppressWarnings("NullAway.Init") // injected
    private Path state;

    @Option(
            names = "--disk-resource",
            defaultValue = "disk",
            paramLabel = "NAME",
            description = "YARN resource type that counts disks. Default: ${DEFAULT-VALUE}; not used if"
                    + " the cluster has none.")
    @SuppressWarnings("NullAway.Init") // injected
    private String diskResource;

    private boolean warned;

    /** Refuses characters that directory names and YARN tags cannot contain. */
    static void requireRunId(String id) {
        if (!id.matches("[A-Za-z0-9_.-]{1,60}")) {
            throw new CommandException(
                    CommandException.WRONG, "--run-id " + id + ": must be 1 to 60 letters, digits, dots, - or _");
        }
    }

    /** Runs a plan, or continues an earlier run with the same id. */
    RunOutcome execute(String id, Problem problem, Plan plan, boolean replan, PrintWriter out, PrintWriter err)
            throws IOException, InterruptedException {
        ClusterRun run = run(id, out, err);
        RunOutcome outcome = run.execute(id, problem, plan, replan);
        warned |= run.warned();
        return outcome;
    }

    /** The run of this id on the cluster. */
    ClusterRun run(String id, PrintWriter out, PrintWriter err) {
        return new ClusterRun(state.resolve(id).toAbsolutePath(), diskResource, !warned, out, err);
    }
}
