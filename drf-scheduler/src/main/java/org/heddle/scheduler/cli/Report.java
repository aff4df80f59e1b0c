// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code heddle report}. */
@Command(
        name = "report",
        mixinStandardHelpOptions = true,
        description = "Reports what was used.",
        subcommands = Report.Usage.class)
final class Report {
    private Report() {}

    /** {@code heddle report usage}. */
    @Command(
            name = "usage",
            mixinStandardHelpOptions = true,
            versionProvider = Heddle.Version.class,
            description = "Shows who used how much memory, how many cores and other resources, in hours. A container"
                    + " counts with its whole size from its allocation to its end. All times are UTC.")
    static final class Usage implements Callable<Integer> {
        private static final String PATH = "/heddle/v1/usage";

        @Spec
        @SuppressWarnings("NullAway.Init") // set by picocli before call
        private CommandSpec command;

        @Mixin
        @SuppressWarnings("NullAway.Init")
        private ResourceManagerWeb web;

        @Option(
                names = "--by",
                paramLabel = "COLUMNS",
                description = "add up by these columns, separated by commas: user, queue, application, name, type, day,"
                        + " month (default: user)")
        private @Nullable String by;

        @Option(names = "--month", paramLabel = "MONTH", description = "for example 2026-11 (default: the present one)")
        private @Nullable String month;

        @Option(names = "--from", paramLabel = "DAY", description = "first day, for example 2026-11-01")
        private @Nullable String from;

        @Option(names = "--to", paramLabel = "DAY", description = "last day (default: today)")
        private @Nullable String to;

        @ArgGroup
        private Format format = new Format();

        private static final class Format {
            @Option(names = "--csv", description = "as CSV, in seconds; memory in MiB")
            private boolean csv;

            @Option(names = "--json", description = "as JSON, in seconds; memory in MiB")
            private boolean json;
        }

        @Override
        public Integer call() throws IOException {
            Map<String, String> parameters = new LinkedHashMap<>();
            put(parameters, "by", by);
            put(parameters, "month", month);
            put(parameters, "from", from);
            put(parameters, "to", to);
            String path = format.csv ? PATH + ".csv" : PATH;
            String accept = format.csv ? "text/csv" : format.json ? "application/json" : "text/plain";
            command.commandLine().getOut().print(web.get(path, parameters, accept));
            command.commandLine().getOut().flush();
            return 0;
        }

        private static void put(Map<String, String> parameters, String name, @Nullable String value) {
            if (value != null) {
                parameters.put(name, value);
            }
        }
    }
}
