// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks;

import java.util.List;
import java.util.Map;
import org.heddle.frameworks.batch.BatchCommand;
import org.heddle.frameworks.mpi.MpiexecCommand;
import org.heddle.frameworks.webfarm.WebFarmCommand;
import org.heddle.settings.command.CommandException;
import org.heddle.settings.command.Frame;

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
        Object command = args.length == 0 ? null : COMMANDS.get(args[0]);
        if (command == null) {
            System.err.println("heddle: name one of the frameworks: mpiexec, batch, webfarm");
            return CommandException.WRONG;
        }
        return Frame.of("heddle " + args[0], command)
                .setStopAtPositional(true)
                .execute(List.of(args).subList(1, args.length).toArray(new String[0]));
    }
}
