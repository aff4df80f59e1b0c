// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.machine;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * A file system of 2 MB for a program of its own, so that it can be really full. It needs no rights: the program is
 * root in a namespace of users, where that may be made.
 */
public final class SmallDisk {
    private static final String MOUNT = "mount -t tmpfs -o size=2m none \"$0\"";
    private static final String FILLER = "filler";

    private SmallDisk() {}

    /**
     * Runs a main class of this class path, whose only argument is the directory of the small disk, and checks that it
     * ends with 0; the calling test is skipped where nobody may make such a disk.
     *
     * @param directory exists and is empty
     */
    public static void run(Class<?> program, Path directory) throws IOException, InterruptedException {
        String unshare = SystemPackage.require("unshare", "util-linux").toString();
        Process trial = start(List.of(unshare, "-rm", "sh", "-c", MOUNT, directory.toString()));
        String refusal = output(trial);
        Assumptions.assumeTrue(
                trial.waitFor() == 0, "this user may not mount a file system in a namespace: " + refusal);
        List<String> command =
                new ArrayList<>(List.of(unshare, "-rm", "sh", "-c", MOUNT + " && exec \"$@\"", directory.toString()));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName(),
                directory.toString()));
        Process process = start(command);
        String output = output(process);
        Assertions.assertEquals(0, process.waitFor(), output);
    }

    private static Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static String output(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    /** In the program: takes all room that is left. */
    public static void fill(Path disk) throws IOException {
        byte[] block = new byte[4096];
        try (OutputStream out = Files.newOutputStream(disk.resolve(FILLER))) {
            while (Files.getFileStore(disk).getUsableSpace() > 0) {
                out.write(block);
            }
        }
    }

    /** In the program: gives the room back. */
    public static void makeRoom(Path disk) throws IOException {
        Files.delete(disk.resolve(FILLER));
    }
}
