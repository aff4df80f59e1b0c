// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks;

import java.util.List;
import java.util.Map;
import org.heddle.frameworks.batch.BatchCommand;
import org.heddle.frameworks.mpi.MpiexecCommand;
import org.heddle.frameworks.webfarm.WebFarmCommand;
import picocli.CommandLine;

/** Starts the commands: {@code heddle mpiexec}, {@code heddle batch}, {@code heddle webfarm}. */
public final class Main {
    private static final Map<String, Class<?>> COMMANDS =
            Map.of("mpiexec", MpiexecCommand.class, "batch", BatchCommand.class, "webfarm", WebFarmCommand.class);

    private Main() {}

    /** @param args the name of a command, then its arguments */
    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Runs a command line; returns its exit code: 2 for wrong arguments, 1 for other failures of ours. */
    public static int run(String... args) {
        Class<?> command = args.length == 0 ? null : COMMANDS.get(args[0]);
        if (command == null) {
            System.err.println("heddle: name one of the frameworks: mpiexec, batch, webfarm");
            return 2;
        }
        String name = System.getProperty("heddle.command", "heddle " + args[0]);
        return new CommandLine(command)
                .setCommandName(name)
                .setStopAtPositional(true)
                .setExecutionExceptionHandler((failure, line, parsed) -> {
                    line.getErr()
                            .println(name + ": " + (failure.getMessage() == null ? failure : failure.getMessage()));
                    return failure instanceof IllegalArgumentException ? 2 : 1;
                })
                .execute(List.of(args).subList(1, args.length).toArray(new String[0]));
    }
}
