// SPDX-License-Identifier: Apache-2.0
package org.heddle.distribution;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * Collects the libraries of all commands for the archive, each of them once: {@code common} has the jars, and the file
 * {@code COMMAND/libraries} names those that a command has on its class path, so that none sees another's.
 */
public final class Libraries {
    /** Half of this library are messages that nothing here uses, most of them of Mesos' API before version 1. */
    private static final String MESOS = "mesos-[0-9.]+[.]jar";

    private static final String USED_OF_MESOS = "org/apache/mesos/v1/(?!agent/|resource_provider/).*|META-INF/.*";

    private Libraries() {}

    /** @param arguments the directory to write to, then COMMAND=DIRECTORY for each command */
    public static void main(String[] arguments) throws IOException {
        Path target = BuildFolder.makeAnew(Paths.get(arguments[0]));
        Path common = Files.createDirectory(target.resolve("common"));
        for (String argument : List.of(arguments).subList(1, arguments.length)) {
            String[] command = argument.split("=", 2);
            List<Path> jars = jars(Paths.get(command[1]));
            for (Path jar : jars) {
                copy(jar, common.resolve(name(jar)));
            }
            String names = jars.stream().map(jar -> name(jar) + "\n").collect(Collectors.joining());
            Path list = Files.createDirectory(target.resolve(command[0])).resolve("libraries");
            Files.write(list, names.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static List<Path> jars(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .collect(Collectors.toList());
        }
    }

    private static String name(Path jar) {
        return String.valueOf(jar.getFileName());
    }

    private static void copy(Path jar, Path place) throws IOException {
        if (Files.exists(place)) {
            return;
        }
        if (!name(jar).matches(MESOS)) {
            Files.copy(jar, place);
            return;
        }
        try (ZipInputStream all = new ZipInputStream(Files.newInputStream(jar));
                ZipOutputStream part = BuildFolder.jar(place)) {
            // The archive is compressed as a whole: thousands of classes that are alike become a quarter smaller.
            part.setLevel(Deflater.NO_COMPRESSION);
            for (ZipEntry entry = all.getNextEntry(); entry != null; entry = all.getNextEntry()) {
                if (!entry.isDirectory() && entry.getName().matches(USED_OF_MESOS)) {
                    BuildFolder.add(part, entry.getName(), all.readAllBytes());
                }
            }
        }
    }
}
