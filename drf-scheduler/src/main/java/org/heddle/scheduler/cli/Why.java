// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.settings.command.ResourceManagerOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code heddle why}. */
@Command(name = "why", description = "Shows why an application does not get the containers that it requests.")
final class Why implements Callable<Integer> {
    /** YARN's id, with or without its first word, or that of the MapReduce job. */
    private static final Pattern ID = Pattern.compile("(?:application_|job_)?(\\d+_\\d+)");

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec command;

    @Parameters(
            index = "0",
            paramLabel = "APPLICATION",
            description = "Its id, for example application_1700000000000_0042, or 1700000000000_0042 only.")
    @SuppressWarnings("NullAway.Init")
    private String application;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private ResourceManagerOptions resourceManager;

    @Override
    public Integer call() throws IOException {
        Matcher id = ID.matcher(application);
        if (!id.matches()) {
            throw new IllegalArgumentException(
                    application + " is not an application id; an example is application_1700000000000_0042");
        }
        String path = "/heddle/v1/applications/application_" + id.group(1) + "/why";
        command.commandLine().getOut().print(resourceManager.client().text(path, "text/plain"));
        command.commandLine().getOut().flush();
        return 0;
    }
}
