// SPDX-License-Identifier: Apache-2.0
package org.heddle.install;

import java.io.IOException;
import java.nio.file.FileSystemException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/**
 * The command line of install and uninstall. Exit codes: 0 done, 1 refused or failed and nothing was changed (uninstall:
 * a file was left), 2 the command line is wrong.
 */
@Command(
        name = "heddle",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        description = "Schedulers for unmodified Hadoop.",
        subcommands = {InstallCommand.class, UninstallCommand.class})
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** The command line with its error texts; tests give it their own writers. */
    public static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Main());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        return line.setExecutionExceptionHandler((e, command, parsed) -> {
            if (e instanceof RefusedException || e instanceof IOException) {
                String message = e instanceof FileSystemException ? sentence((FileSystemException) e) : e.getMessage();
                command.getErr().println(command.getCommandSpec().qualifiedName() + ": " + message);
                return 1;
            }
            throw e;
        });
    }

    private static String sentence(FileSystemException e) {
        String reason = e.getReason();
        return e.getFile() + " cannot be read or changed: "
                + (reason == null ? e.getClass().getSimpleName() : reason);
    }

    /** The version in the jar's manifest. */
    static final class Version implements IVersionProvider {
        static final String UNKNOWN = "(not packaged)";

        @Override
        public String[] getVersion() {
            return new String[] {"heddle " + text()};
        }

        static String text() {
            String version = Main.class.getPackage().getImplementationVersion();
            return version == null ? UNKNOWN : version;
        }
    }
}
