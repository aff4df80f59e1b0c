// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.jobs;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Commands of Heddle in small processes, with the class path of this one. */
public final class SmallJvm {
    private SmallJvm() {}

    /**
     * A command line up to the class, to which arguments can be added.
     *
     * @param heapMegabytes its largest heap
     * @param main its class
     */
    public static List<String> command(int heapMegabytes, Class<?> main) {
        return command(heapMegabytes, absoluteClassPath(), main);
    }

    private static List<String> command(int heapMegabytes, String classPath, Class<?> main) {
        return new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heapMegabytes + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.net.preferIPv4Stack=true",
                "-cp",
                classPath,
                main.getName()));
    }

    /**
     * Starts a command.
     *
     * @param configuration a directory with a client's site files
     * @param main its class
     * @param directory that it works in
     * @param log for its output and errors
     */
    public static Process start(Path configuration, Class<?> main, Path directory, Path log, List<String> arguments)
            throws IOException {
        return builder(configuration, main, directory, arguments)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    /**
     * A command that is not started yet; its output may be redirected.
     *
     * @param configuration a directory with a client's site files
     * @param main its class
     * @param directory that it works in
     */
    public static ProcessBuilder builder(Path configuration, Class<?> main, Path directory, List<String> arguments) {
        List<String> command = command(256, configuration + ":" + absoluteClassPath(), main);
        command.addAll(arguments);
        return new ProcessBuilder(command).directory(directory.toFile());
    }

    /** Entries may be relative to this process's directory. */
    private static String absoluteClassPath() {
        List<String> entries = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(":", -1)) {
            entries.add(Path.of(entry).toAbsolutePath().toString());
        }
        return String.join(":", entries);
    }
}
