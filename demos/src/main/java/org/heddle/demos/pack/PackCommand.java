// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.pack;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.heddle.demos.Stage;
import org.jspecify.annotations.Nullable;

/** {@code bin/heddle pack} of this source tree, with the cluster's configuration. */
final class PackCommand {
    private static final Path LAUNCHER =
            Stage.target().resolve("../../bin/heddle").normalize();
    private static final String OPTIONS = "-Xmx256m -XX:TieredStopAtLevel=1 -Djava.net.preferIPv4Stack=true";

    private final Path configuration;
    private final Path directory;
    private final PrintStream console;
    private volatile @Nullable Process running;

    /**
     * @param configuration directory of Hadoop site files
     * @param directory the program works in
     */
    PackCommand(Path configuration, Path directory, PrintStream console) {
        this.configuration = configuration;
        this.directory = directory;
        this.console = console;
    }

    /** Shows the command line and what the program prints; fails unless it ends with 0. */
    void run(Object... args) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(LAUNCHER.toString(), "pack"));
        for (Object arg : args) {
            line.add(arg.toString());
        }
        console.println("$ heddle " + String.join(" ", line.subList(1, line.size())));
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(directory.toFile())
                .redirectError(directory.resolve("heddle-pack.err").toFile());
        // The classes of the demo's jobs are on the class path of this program.
        builder.environment()
                .put(
                        "HADOOP_CLASSPATH_ONLY",
                        configuration + File.pathSeparator + System.getProperty("java.class.path"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("HEDDLE_PACK_OPTS", OPTIONS);
        Process process = builder.start();
        running = process;
        process.getOutputStream().close();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String text = out.readLine(); text != null; text = out.readLine()) {
                console.println("  " + text);
            }
        }
        int code = process.waitFor();
        running = null;
        if (code != 0) {
            throw new IOException("heddle pack " + args[0] + " ended with " + code + "; its errors are in "
                    + directory.resolve("heddle-pack.err"));
        }
    }

    /** Ends the program that runs, if one does. */
    void stop() {
        Process process = running;
        if (process != null) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
