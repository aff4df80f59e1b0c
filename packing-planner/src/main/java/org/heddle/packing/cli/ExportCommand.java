// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.heddle.packing.export.ReservationExport;
import org.heddle.packing.io.PlanFile;
import org.heddle.settings.Durations;
import org.heddle.settings.command.CommandException;
import org.heddle.settings.command.DurationConverter;
import org.heddle.settings.command.SizeConverter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code heddle pack export}. */
@Command(
        name = "export",
        description = "Writes a plan as reservations of YARN's ReservationSystem, one JSON file for each job.")
final class ExportCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    @Option(
            names = {"-d", "--directory"},
            required = true,
            paramLabel = "DIR",
            description = "Directory for the files.")
    @SuppressWarnings("NullAway.Init") // injected
    private Path directory;

    @Option(
            names = "--memory",
            defaultValue = "2Gi",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Memory of a container. Default: ${DEFAULT-VALUE}; a number without a unit is" + " MiB.")
    private int memory;

    @Option(names = "--queue", defaultValue = "default", description = "A reservable queue. Default: ${DEFAULT-VALUE}.")
    @SuppressWarnings("NullAway.Init") // injected
    private String queue;

    @Option(
            names = "--vcores",
            defaultValue = "1",
            description = "Virtual cores of a container. Default: ${DEFAULT-VALUE}.")
    private int vcores;

    @Option(
            names = "--start",
            paramLabel = "TIME",
            description = "When the plan begins, e.g. 2026-11-21T08:00:00Z. Default: in one minute.")
    private @Nullable String start;

    @Option(names = "--hadoop-3.4", description = "Write the JSON form of Hadoop 3.4 (else that of 3.5).")
    private boolean older;

    @Option(
            names = "--slack",
            defaultValue = "60s",
            paramLabel = "DURATION",
            converter = DurationConverter.Seconds.class,
            description = "Time that is added to deadlines. Default: ${DEFAULT-VALUE}.")
    private Duration slack = Duration.ZERO;

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private PlanInput input;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        Numbers.requirePositive("--vcores", vcores);
        PlanFile.Loaded loaded = input.readAccepted(spec.commandLine().getErr());
        Map<String, ObjectNode> files = ReservationExport.submissions(
                loaded.plan(), startMillis(), queue, memory, vcores, Durations.seconds(slack), !older);
        Files.createDirectories(directory);
        files.forEach((name, node) -> Output.write(directory.resolve(name), node.toPrettyString()));
        out.println(files.size() + " files in " + directory);
        out.flush();
        return 0;
    }

    private long startMillis() {
        if (start == null) {
            return System.currentTimeMillis() + 60_000;
        }
        try {
            return Instant.parse(start).toEpochMilli();
        } catch (DateTimeParseException e) {
            throw new CommandException(
                    CommandException.WRONG, "--start " + start + ": must be a time like 2026-11-21T08:00:00Z");
        }
    }
}
