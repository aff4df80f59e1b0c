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
import org.heddle.packing.cli.HeddlePack;
import org.jspecify.annotations.Nullable;

/** The heddle-pack command as a program of its own, with the cluster's configuration. */
final class PackCommand {
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
        List<String> texts = new ArrayList<>();
        for (Object arg : args) {
            texts.add(arg.toString());
        }
        console.println("$ heddle-pack " + String.join(" ", texts));
        List<String> line = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.net.preferIPv4Stack=true",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-cp",
                configuration + File.pathSeparator + System.getProperty("java.class.path"),
                HeddlePack.class.getName()));
        line.addAll(texts);
        Process process = new ProcessBuilder(line)
                .directory(directory.toFile())
                .redirectError(directory.resolve("heddle-pack.err").toFile())
                .start();
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
            throw new IOException("heddle-pack " + texts.get(0) + " ended with " + code + "; its errors are in "
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
