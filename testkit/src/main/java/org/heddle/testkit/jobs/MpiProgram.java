// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.jobs;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** The MPI programs of the source tree ({@code ring} and {@code solve}), and the command that runs one on offers. */
public final class MpiProgram {
    private MpiProgram() {}

    /**
     * Compiles a program; what the compiler says is in {@code mpicc.log} beside it.
     *
     * @param compiler the file of mpicc
     * @param tree the directory of the source tree
     * @param name ring or solve
     * @param directory for the program
     */
    public static Path compile(String compiler, Path tree, String name, Path directory)
            throws IOException, InterruptedException {
        Path program = directory.resolve(name);
        Path log = directory.resolve("mpicc.log");
        Process compiling = new ProcessBuilder(
                        compiler,
                        "-O2",
                        "-o",
                        program.toString(),
                        tree.resolve("offer-bridge/frameworks/src/main/mpi/" + name + ".c")
                                .toString(),
                        "-lm")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (compiling.waitFor() != 0) {
            throw new IOException("mpicc cannot compile " + name + ".c: see " + log);
        }
        return program;
    }

    /**
     * {@code heddle mpiexec} in a small process with the class path of this one.
     *
     * @param main class of the frameworks' commands
     * @param megabytes memory of each MPI process
     * @param more further options, then the program and its arguments
     */
    public static List<String> mpiexec(Class<?> main, URI bridge, int processes, int megabytes, String... more) {
        List<String> command = SmallJvm.command(128, main);
        command.addAll(List.of(
                "mpiexec",
                "--bridge",
                bridge.toString(),
                "-n",
                Integer.toString(processes),
                "--mem",
                Integer.toString(megabytes)));
        command.addAll(List.of(more));
        return command;
    }
}
