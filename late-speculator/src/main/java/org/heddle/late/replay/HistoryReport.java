// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.replay;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.heddle.late.mr.ProfileReader;
import org.heddle.late.policy.Decision;
import org.heddle.settings.command.CommandException;
import org.jspecify.annotations.Nullable;

/** Reads job histories with Hadoop's parser and reports on them. */
final class HistoryReport {
    private final PrintWriter out;
    private final Configuration conf = new Configuration();

    HistoryReport(PrintWriter out, Map<String, String> settings) {
        this.out = out;
        settings.forEach(conf::set);
    }

    /**
     * Prints what another speculator would have done.
     *
     * @throws IOException one sentence, if the history cannot be used
     */
    void replay(String history, @Nullable Path picture) throws IOException {
        ProfileReader profile = ProfileReader.of(conf);
        if (!profile.problems().isEmpty()) {
            throw new CommandException(CommandException.WRONG, String.join("\n", profile.problems()));
        }
        Optional<List<JobTrace>> stages = SparkStages.read(history, conf);
        if (stages.isPresent()) {
            replay(stages.get(), profile, picture);
            return;
        }
        JobTrace recorded = JobTrace.read(history, conf);
        if (recorded.failure().isPresent()) {
            throw new IOException(failed(recorded));
        }
        Replay.Result result = Replay.of(recorded, profile.settings());
        print(recorded, result, profile.name());
        if (picture != null) {
            Map<String, JobTrace> panels = new LinkedHashMap<>();
            panels.put(String.format(Locale.ROOT, "as recorded: %.0f s", seconds(recorded)), recorded);
            panels.put(
                    String.format(Locale.ROOT, "with %s: %.0f s", profile.name(), seconds(result.trace())),
                    result.trace());
            draw(panels, picture);
        }
    }

    /** Of an application of Spark: the stages in which there were backups, or would have been. */
    private void replay(List<JobTrace> stages, ProfileReader profile, @Nullable Path picture) throws IOException {
        if (picture != null) {
            throw new CommandException(
                    CommandException.WRONG,
                    "--picture draws the history of a job, not an event log of Spark: leave it out");
        }
        double recorded = 0;
        double replayed = 0;
        int even = 0;
        for (JobTrace stage : stages) {
            Replay.Result result = Replay.of(stage, profile.settings());
            recorded += seconds(stage);
            replayed += seconds(result.trace());
            if (stage.backups() > 0 || !result.launches().isEmpty()) {
                print(stage, result, profile.name());
            } else {
                even++;
            }
        }
        out.printf(
                Locale.ROOT,
                "%d stages, of which %d have no backups. Sum of their times: %.1f s as recorded, %.1f s with %s.%n",
                stages.size(),
                even,
                recorded,
                replayed,
                profile.name());
    }

    /** Draws jobs side by side. @throws IOException one sentence, if a history cannot be used */
    void timeline(List<String> histories, Path picture) throws IOException {
        Map<String, JobTrace> panels = new LinkedHashMap<>();
        for (String history : histories) {
            JobTrace job = JobTrace.read(history, conf);
            String name = String.valueOf(Paths.get(history).getFileName()).replaceFirst("\\.jhist$", "");
            String ended = job.failure().map(outcome -> ", " + outcome).orElse("");
            panels.put(String.format(Locale.ROOT, "%s: %.0f s%s", name, seconds(job), ended), job);
            row(name + ended, job);
        }
        draw(panels, picture);
    }

    private void draw(Map<String, JobTrace> panels, Path picture) throws IOException {
        Timeline.draw(panels, picture);
        out.println("timeline: " + picture);
    }

    /** A job without an end has nothing that backups could have shortened. */
    private static String failed(JobTrace recorded) {
        return String.format(
                Locale.ROOT,
                "%s ended as %s after %.1f s; give the history of a job that succeeded, for only its end can be compared."
                        + " heddle late timeline draws this one.",
                recorded.job(),
                recorded.failure().orElseThrow(),
                seconds(recorded));
    }

    private void print(JobTrace recorded, Replay.Result result, String profile) {
        out.println(recorded.job());
        out.printf(Locale.ROOT, "%-14s %9s %8s %5s %12s%n", "", "seconds", "backups", "won", "wasted s");
        row("as recorded", recorded);
        row("with " + profile, result.trace());
        if (recorded.backupsWon() > 0) {
            out.println("The recorded job had backups that won. The history does not say how long their originals would"
                    + " have taken, so the replayed job may look shorter than it would have been.");
        }
        if (recorded.restarted()) {
            out.println(
                    "The ApplicationMaster was started again while the job ran. The history does not have the attempts"
                            + " that were lost then, so the job took longer than the times above.");
        }
        Set<String> tasksWithBackups = result.trace().spans().stream()
                .filter(span -> span.backup)
                .map(span -> span.task)
                .collect(Collectors.toSet());
        for (Decision launch : result.launches()) {
            out.printf(
                    Locale.ROOT,
                    "backup of %s on %s: %s%s%s%s%n",
                    launch.task(),
                    launch.node(),
                    launch.reason(),
                    seconds(launch.remainingMillis(), "remaining"),
                    seconds(launch.freshMillis(), "for a new run"),
                    tasksWithBackups.contains(launch.task()) ? "" : ", but no container was free");
        }
    }

    private void row(String name, JobTrace trace) {
        out.printf(
                Locale.ROOT,
                "%-14s %9.1f %8d %5d %12.1f%n",
                name,
                seconds(trace),
                trace.backups(),
                trace.backupsWon(),
                trace.wastedMillis() / 1000.0);
    }

    /** Nothing for a time that the profile does not estimate. */
    private static String seconds(double millis, String what) {
        if (Double.isNaN(millis)) {
            return "";
        }
        if (Double.isInfinite(millis)) {
            return ", no progress";
        }
        return String.format(Locale.ROOT, ", %.0f s %s", millis / 1000, what);
    }

    private static double seconds(JobTrace trace) {
        return (trace.end() - trace.begin()) / 1000.0;
    }
}
