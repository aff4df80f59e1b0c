// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.replay;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import org.heddle.late.explain.ExplainOptions;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code heddle late}. Exit codes: 0 done, 1 a file cannot be used, 2 the command line is wrong. No class
 * with options refers to Hadoop, so the command prints help and version without Hadoop on the class path.
 */
@Command(
        name = "heddle late",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        description = "Replays the histories of finished MapReduce jobs with the LATE speculator, and draws them.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {ExplainOptions.class, ReplayOptions.class, TimelineOptions.class})
public final class Main implements Runnable {
    /** Name of this command in the launcher. */
    private static final String NAME = System.getProperty("heddle.command", "heddle late");

    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    private Main() {}

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing required subcommand");
    }

    public static void main(String[] args) {
        System.setProperty("java.awt.headless", "true");
        System.exit(run(args, System.out, System.err));
    }

    /** Returns 0 when done, 1 if a file cannot be used, 2 if the command line is wrong. */
    public static int run(String[] args, PrintStream out, PrintStream err) {
        return new CommandLine(new Main())
                .setCommandName(NAME)
                .setOut(new PrintWriter(out, true, Charset.defaultCharset()))
                .setErr(new PrintWriter(err, true, Charset.defaultCharset()))
                .execute(args);
    }

    /** The version in the jar's manifest. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"heddle late " + (version == null ? "(not packaged)" : version)};
        }
    }
}
