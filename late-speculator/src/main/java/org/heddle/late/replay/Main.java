// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.replay;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import org.heddle.late.explain.ExplainOptions;
import org.heddle.settings.command.Frame;
import picocli.CommandLine.Command;

/**
 * The command {@code heddle late}. Exit codes: 0 done, 1 a file cannot be used, 2 the command line is wrong. No class
 * with options refers to Hadoop, so the command prints help and version without Hadoop on the class path.
 */
@Command(
        name = "late",
        description = "Replays the histories of finished MapReduce jobs with the LATE speculator, and draws them.",
        subcommands = {ExplainOptions.class, ReplayOptions.class, TimelineOptions.class})
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.setProperty("java.awt.headless", "true");
        System.exit(run(args, System.out, System.err));
    }

    /** Returns 0 when done, 1 if a file cannot be used, 2 if the command line is wrong. */
    public static int run(String[] args, PrintStream out, PrintStream err) {
        return Frame.of("heddle late", new Main())
                .setOut(new PrintWriter(out, true, Charset.defaultCharset()))
                .setErr(new PrintWriter(err, true, Charset.defaultCharset()))
                .execute(args);
    }
}
