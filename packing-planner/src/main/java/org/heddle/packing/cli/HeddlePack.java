// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.IOException;
import java.io.PrintWriter;
import org.heddle.packing.io.InvalidInputException;
import org.heddle.packing.solve.PlanningException;
import org.heddle.settings.command.OptionDefaults;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The heddle-pack command. Exit codes: 0 done, 1 a plan is refused or a job failed, 2 the input or the command line is
 * wrong.
 */
@Command(
        name = "heddle-pack",
        mixinStandardHelpOptions = true,
        versionProvider = HeddlePack.Version.class,
        description =
                "Plans a set of jobs so that the last one ends as early as possible, and proves how good the plan is.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            PlanCommand.class,
            ExplainCommand.class,
            WhatIfCommand.class,
            CheckCommand.class,
            ShowCommand.class,
            ExportCommand.class,
            FitCommand.class,
            ProfileCommand.class,
            RunCommand.class
        })
public final class HeddlePack implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /** The command line with its error texts; tests give it their own writers. */
    public static CommandLine commandLine() {
        CommandLine line = new CommandLine(new HeddlePack());
        line.setCommandName(System.getProperty("heddle.command", "heddle-pack"));
        line.setExecutionExceptionHandler((e, command, parsed) -> {
            PrintWriter err = command.getErr();
            if (e instanceof InvalidInputException || e instanceof PlanningException || e instanceof CommandException) {
                err.println("heddle-pack: " + e.getMessage());
                return e instanceof CommandException failure ? failure.exitCode() : 2;
            }
            if (e instanceof IOException) {
                err.println("heddle-pack: " + (e.getMessage() == null ? e.toString() : e.getMessage()));
                return 2;
            }
            throw e;
        });
        line.setCaseInsensitiveEnumValuesAllowed(true);
        Numbers.register(line);
        OptionDefaults.install(line, "pack");
        return line;
    }

    public static void main(String[] args) {
        int code;
        try {
            code = commandLine().execute(args);
        } catch (OutOfMemoryError e) {
            System.err.println("heddle-pack: out of memory; give it more with HEDDLE_PACK_OPTS=-Xmx4g");
            code = 2;
        }
        System.out.flush();
        Interrupt.finished();
        System.exit(code);
    }

    /** The version in the jar's manifest. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = HeddlePack.class.getPackage().getImplementationVersion();
            return new String[] {
                "heddle-pack " + (version == null ? "(not packaged)" : version) + ", problem format 1, plan format 1"
            };
        }
    }
}
