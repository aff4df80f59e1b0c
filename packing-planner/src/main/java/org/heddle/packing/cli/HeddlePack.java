// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import org.heddle.packing.io.InvalidInputException;
import org.heddle.packing.solve.PlanningException;
import org.heddle.settings.command.OptionDefaults;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command {@code heddle pack}. Exit codes: 0 done, 1 a plan is refused or a job failed, 2 the input or the command line is
 * wrong.
 */
@Command(
        name = "pack",
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
    private static final int WRONG_INPUT = 2;

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
        line.setCommandName(System.getProperty("heddle.command", "heddle pack"));
        line.setExecutionExceptionHandler((thrown, command, parsed) -> {
            Exception e = thrown instanceof UncheckedIOException unchecked ? unchecked.getCause() : thrown;
            if (e instanceof CommandException failure) {
                command.getErr().println("heddle pack: " + failure.getMessage());
                return failure.exitCode();
            }
            if (e instanceof InvalidInputException || e instanceof PlanningException || e instanceof IOException) {
                command.getErr().println("heddle pack: " + Objects.requireNonNullElse(e.getMessage(), e.toString()));
                return WRONG_INPUT;
            }
            throw e;
        });
        line.setParameterExceptionHandler(HeddlePack::explain);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        Numbers.register(line);
        OptionDefaults.install(line, "pack");
        return line;
    }

    /** One sentence about a wrong command line, and where to read on. */
    private static int explain(ParameterException e, String[] args) {
        String problem = String.valueOf(e.getMessage());
        if (e instanceof UnmatchedArgumentException unmatched) {
            problem = unknown(unmatched);
        }
        CommandLine command = e.getCommandLine();
        String help = command.getCommandSpec().qualifiedName() + " --help";
        command.getErr().println("heddle pack: " + problem + "; see " + help);
        return WRONG_INPUT;
    }

    private static String unknown(UnmatchedArgumentException e) {
        String argument = e.getUnmatched().get(0);
        String what = "one argument too many is ";
        if (e.isUnknownOption()) {
            what = "unknown option ";
        } else if (!e.getCommandLine().getSubcommands().isEmpty()) {
            what = "unknown command ";
        }
        List<String> similar = e.getSuggestions();
        String hint = similar.isEmpty() ? "" : " (did you mean " + String.join(" or ", similar) + "?)";
        return what + argument + hint;
    }

    public static void main(String[] args) {
        int code;
        try {
            code = commandLine().execute(args);
        } catch (OutOfMemoryError e) {
            System.err.println("heddle pack: out of memory; give it more with HEDDLE_PACK_OPTS=-Xmx4g");
            code = WRONG_INPUT;
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
                "heddle pack " + (version == null ? "(not packaged)" : version) + ", problem format 1, plan format 1"
            };
        }
    }
}
