// SPDX-License-Identifier: Apache-2.0
package org.heddle.install;

import org.heddle.settings.command.Frame;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The command line of install, uninstall and maven-install. Exit codes: 0 done, 1 refused or failed and nothing was
 * changed (uninstall: a file was left), 2 the command line is wrong.
 */
@Command(
        name = "heddle",
        description = "Schedulers for unmodified Hadoop.",
        subcommands = {InstallCommand.class, UninstallCommand.class, MavenInstallCommand.class})
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** The command line in its frame; tests give it their own writers. */
    public static CommandLine commandLine() {
        return Frame.of("heddle", new Main());
    }
}
