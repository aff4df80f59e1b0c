// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code heddle why}. */
@Command(
        name = "why",
        mixinStandardHelpOptions = true,
        description = "Shows why an application does not get the containers that it requests.")
final class Why implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec command;

    @Parameters(index = "0", paramLabel = "APPLICATION", description = "application_1700000000000_0042")
    @SuppressWarnings("NullAway.Init")
    private String application;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private ResourceManagerWeb web;

    @Override
    public Integer call() throws IOException {
        if (!application.matches("application_\\d+_\\d+")) {
            throw new IOException(
                    application + " is not an application id; an example is application_1700000000000_0042");
        }
        String path = "/heddle/v1/applications/" + application + "/why";
        command.commandLine().getOut().print(web.get(path, Map.of(), "text/plain"));
        command.commandLine().getOut().flush();
        return 0;
    }
}
