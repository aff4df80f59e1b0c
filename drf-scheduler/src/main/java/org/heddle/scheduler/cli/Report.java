// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import java.io.IOException;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import org.heddle.settings.command.ResourceManagerOptions;
import org.heddle.settings.web.WebAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code heddle report}. */
@Command(name = "report", description = "Reports what was used.", subcommands = Report.Usage.class)
final class Report {
    private Report() {}

    /** {@code heddle report usage}. */
    @Command(
            name = "usage",
            description = "Shows who used how much memory, how many cores and other resources, in hours. A container"
                    + " counts with its whole size from its allocation to its end. All times are UTC.")
    static final class Usage implements Callable<Integer> {
        private static final String PATH = "/heddle/v1/usage";

        @Spec
        @SuppressWarnings("NullAway.Init") // set by picocli before call
        private CommandSpec command;

        @Mixin
        @SuppressWarnings("NullAway.Init")
        private ResourceManagerOptions resourceManager;

        @Option(
                names = "--by",
                paramLabel = "COLUMNS",
                description = "Add up by these columns, separated by commas: user, queue, application, name,"
                        + " type, day, month. Default: user.")
        private @Nullable String by;

        @Option(names = "--month", paramLabel = "MONTH", description = "For example 2026-11. Default: the present one.")
        private @Nullable String month;

        @Option(names = "--from", paramLabel = "DAY", description = "First day, for example 2026-11-01.")
        private @Nullable String from;

        @Option(names = "--to", paramLabel = "DAY", description = "Last day. Default: today.")
        private @Nullable String to;

        @ArgGroup
        private Format format = new Format();

        private static final class Format {
            @Option(names = "--csv", description = "As CSV, in seconds; memory in MiB.")
            private boolean csv;

            @Option(names = "--json", description = "As JSON, in seconds; memory in MiB.")
            private boolean json;
        }

        @Override
        public Integer call() throws IOException {
            StringJoiner query = new StringJoiner("&", "?", "");
            put(query, "by", by);
            put(query, "month", month);
            put(query, "from", from);
            put(query, "to", to);
            String path = (format.csv ? PATH + ".csv" : PATH) + (query.length() > 1 ? query : "");
            String accept;
            if (format.csv) {
                accept = "text/csv";
            } else if (format.json) {
                accept = "application/json";
            } else {
                accept = "text/plain";
            }
            command.commandLine().getOut().print(resourceManager.client().text(path, accept));
            command.commandLine().getOut().flush();
            return 0;
        }

        private static void put(StringJoiner query, String name, @Nullable String value) {
            if (value != null) {
                query.add(name + "=" + WebAddress.segment(value));
            }
        }
    }
}
