// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.heddle.packing.export.LibvirtExport;
import org.heddle.packing.export.ReservationExport;
import org.heddle.packing.io.PlanFile;
import org.heddle.settings.command.MebibytesConverter;
import org.heddle.settings.command.SecondsConverter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code heddle-pack export}. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description = "Writes a plan for another system: libvirt domains with a placement list, or YARN reservations.")
final class ExportCommand implements Callable<Integer> {
    /** The formats. */
    enum Target {
        LIBVIRT,
        RESERVATION
    }

    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    @Option(names = "--to", required = true, paramLabel = "SYSTEM", description = "libvirt or reservation.")
    @SuppressWarnings("NullAway.Init") // injected
    private Target target;

    @Option(
            names = {"-d", "--directory"},
            required = true,
            paramLabel = "DIR",
            description = "Directory for the files.")
    @SuppressWarnings("NullAway.Init") // injected
    private Path directory;

    @Option(names = "--cores", defaultValue = "4", description = "libvirt: cores per machine (${DEFAULT-VALUE}).")
    private int cores;

    @Option(
            names = "--memory",
            defaultValue = "2Gi",
            paramLabel = "SIZE",
            converter = MebibytesConverter.class,
            description = "Memory per VM or container (${DEFAULT-VALUE}); a number without a unit is MiB.")
    private int memory;

    @Option(
            names = "--image",
            defaultValue = "/var/lib/libvirt/images/{vm}.qcow2",
            description = "libvirt: system image, {vm} is the domain (${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // injected
    private String image;

    @Option(
            names = "--device",
            defaultValue = "/dev/disk/by-label/hadoop{disk}",
            description = "libvirt: device of a disk, {disk} is its number (${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // injected
    private String device;

    @Option(names = "--queue", defaultValue = "default", description = "reservation: queue (${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // injected
    private String queue;

    @Option(names = "--vcores", defaultValue = "1", description = "reservation: per container (${DEFAULT-VALUE}).")
    private int vcores;

    @Option(
            names = "--start",
            paramLabel = "TIME",
            description = "reservation: when the plan begins, e.g. 2026-11-21T08:00:00Z (default: in one minute).")
    private @Nullable String start;

    @Option(names = "--hadoop-3.4", description = "reservation: JSON as Hadoop 3.4 reads it (else 3.5).")
    private boolean older;

    @Option(
            names = "--slack",
            defaultValue = "60s",
            paramLabel = "DURATION",
            converter = SecondsConverter.class,
            description = "reservation: time that is added to deadlines (${DEFAULT-VALUE}).")
    private double slack;

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private PlanInput input;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        PlanFile.Loaded loaded = input.readAccepted(spec.commandLine().getErr());
        Map<String, String> files = new LinkedHashMap<>();
        if (target == Target.LIBVIRT) {
            files.putAll(new LibvirtExport(
                            loaded.problem(), loaded.plan(), new LibvirtExport.Host(cores, memory, image, device))
                    .files());
        } else {
            ReservationExport.submissions(loaded.plan(), startMillis(), queue, memory, vcores, slack, !older)
                    .forEach((name, node) -> files.put(name, node.toPrettyString()));
        }
        Files.createDirectories(directory);
        files.forEach((name, text) -> Output.write(directory.resolve(name), text));
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
            throw new CommandException(2, "--start " + start + ": must be a time like 2026-11-21T08:00:00Z");
        }
    }
}
