// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.replay;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.heddle.late.mr.ProfileReader;
import org.heddle.late.policy.Verdict;

/**
 * {@code heddle-late replay job.jhist}: what a finished job would have looked like under a profile; {@code heddle-late
 * timeline}: finished jobs as they were, side by side.
 */
public final class Main {
    private static final String USAGE = "usage: heddle-late replay <job.jhist> [--profile heddle|paper]"
            + " [--set key=value]... [--picture timeline.png]\n"
            + "       heddle-late timeline --picture timeline.png <job.jhist>...";

    private Main() {}

    public static void main(String[] args) {
        System.setProperty("java.awt.headless", "true");
        System.exit(run(args, System.out, System.err));
    }

    /** @return 0 when done, 1 when the file cannot be used, 2 for a wrong command line */
    public static int run(String[] args, PrintStream out, PrintStream err) {
        if (args.length >= 4 && args[0].equals("timeline") && args[1].equals("--picture")) {
            return timeline(Arrays.asList(args).subList(3, args.length), args[2], out, err);
        }
        if (args.length < 2 || !args[0].equals("replay")) {
            err.println(USAGE);
            return 2;
        }
        Configuration conf = new Configuration();
        String picture = null;
        for (int i = 2; i < args.length; i += 2) {
            String value = i + 1 < args.length ? args[i + 1] : "";
            if (args[i].equals("--profile") && !value.isEmpty()) {
                conf.set("mapreduce.heddle.late.profile", value);
            } else if (args[i].equals("--set") && value.indexOf('=') > 0) {
                conf.set(value.substring(0, value.indexOf('=')), value.substring(value.indexOf('=') + 1));
            } else if (args[i].equals("--picture") && !value.isEmpty()) {
                picture = value;
            } else {
                err.println(args[i] + ": unknown, or its value is missing\n" + USAGE);
                return 2;
            }
        }
        ProfileReader profile = ProfileReader.of(conf);
        if (!profile.problems().isEmpty()) {
            profile.problems().forEach(err::println);
            return 2;
        }
        try {
            JobTrace recorded = JobTrace.read(args[1], conf);
            Replay.Result result = Replay.of(recorded, profile.settings(), profile.windowMillis());
            print(recorded, result, profile.name(), out);
            if (picture != null) {
                Path png = Paths.get(picture);
                Map<String, JobTrace> panels = new LinkedHashMap<>();
                panels.put(String.format(Locale.ROOT, "as recorded: %.0f s", seconds(recorded)), recorded);
                panels.put(
                        String.format(Locale.ROOT, "with %s: %.0f s", profile.name(), seconds(result.trace())),
                        result.trace());
                Timeline.draw(panels, png);
                out.println("timeline: " + png);
            }
            return 0;
        } catch (IOException e) {
            err.println(e.getMessage());
            return 1;
        }
    }

    private static int timeline(List<String> histories, String picture, PrintStream out, PrintStream err) {
        Configuration conf = new Configuration();
        Map<String, JobTrace> panels = new LinkedHashMap<>();
        try {
            for (String history : histories) {
                JobTrace job = JobTrace.read(history, conf);
                String name = String.valueOf(Paths.get(history).getFileName()).replaceFirst("\\.jhist$", "");
                panels.put(String.format(Locale.ROOT, "%s: %.0f s", name, seconds(job)), job);
                row(name, job, out);
            }
            Timeline.draw(panels, Paths.get(picture));
        } catch (IOException e) {
            err.println(e.getMessage());
            return 1;
        }
        out.println("timeline: " + picture);
        return 0;
    }

    private static void print(JobTrace recorded, Replay.Result result, String profile, PrintStream out) {
        out.println(recorded.job());
        out.printf(Locale.ROOT, "%-14s %9s %8s %5s %12s%n", "", "seconds", "backups", "won", "wasted s");
        row("as recorded", recorded, out);
        row("with " + profile, result.trace(), out);
        if (recorded.backupsWon() > 0) {
            out.println("The recorded job had backups that won. How long their originals would have taken is not in its"
                    + " history, so the replayed job may look shorter than it would have been.");
        }
        List<Verdict> launches = result.launches();
        for (Verdict launch : launches) {
            out.printf(
                    Locale.ROOT,
                    "backup of %s on %s: %s, %.0f s to go, %.0f s afresh%n",
                    launch.task(),
                    launch.node(),
                    launch.reason(),
                    launch.remainingMillis() / 1000,
                    launch.freshMillis() / 1000);
        }
    }

    private static void row(String name, JobTrace trace, PrintStream out) {
        out.printf(
                Locale.ROOT,
                "%-14s %9.1f %8d %5d %12.1f%n",
                name,
                seconds(trace),
                trace.backups(),
                trace.backupsWon(),
                trace.wastedMillis() / 1000.0);
    }

    private static double seconds(JobTrace trace) {
        return (trace.end() - trace.begin()) / 1000.0;
    }
}
