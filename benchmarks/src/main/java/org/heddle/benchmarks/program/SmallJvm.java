// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.program;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Commands of Heddle in small processes, with the class path of this one. */
public final class SmallJvm {
    private SmallJvm() {}

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
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.net.preferIPv4Stack=true",
                "-cp",
                configuration + ":" + absoluteClassPath(),
                main.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
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
