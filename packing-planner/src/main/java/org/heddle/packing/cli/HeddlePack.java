// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import org.heddle.settings.command.CommandException;
import org.heddle.settings.command.Frame;
import org.heddle.settings.command.OptionDefaults;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The command {@code heddle pack}. Exit codes: 0 done, 1 a plan is refused or a job failed, 2 the input or the command
 * line is wrong.
 */
@Command(
        name = "pack",
        description =
                "Plans a set of jobs so that the last one ends as early as possible, and proves how good the plan is.",
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
public final class HeddlePack {
    /** The command line in its frame; tests give it their own writers. */
    public static CommandLine commandLine() {
        CommandLine line = Frame.of("heddle pack", new HeddlePack());
        OptionDefaults.install(line, "pack");
        return line;
    }

    public static void main(String[] args) {
        int code;
        try {
            code = commandLine().execute(args);
        } catch (OutOfMemoryError e) {
            System.err.println("heddle pack: out of memory; give it more with HEDDLE_PACK_OPTS=-Xmx4g");
            code = CommandException.WRONG;
        }
        System.out.flush();
        Interrupt.finished();
        System.exit(code);
    }
}
