// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.offers;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.heddle.frameworks.Main;
import org.heddle.frameworks.offers.Programs;
import org.heddle.testkit.jobs.MpiProgram;

/** An MPI program under {@code heddle mpiexec}: a token ring, which Debian's MPICH compiles and starts. */
final class MpiTenant implements Tenant {
    static final String NAME = "mpi ring";

    private final ChildProcess process;
    private final int slots;
    private final AtomicInteger rounds = new AtomicInteger();

    /**
     * Compiles the program, and starts it on as many slots.
     *
     * @param tree the directory of the source tree
     * @param home for the program and its log
     */
    MpiTenant(URI bridge, Path tree, Path home, int slots) throws IOException, InterruptedException {
        this.slots = slots;
        Path program = MpiProgram.compile(Programs.find("mpicc", "libmpich-dev"), tree, "ring", home);
        ProcessBuilder builder = new ProcessBuilder(MpiProgram.mpiexec(
                Main.class, bridge, slots, 128, "--role", "mpi", "--guaranteed", program.toString(), "1000000", "1"));
        process = new ChildProcess(builder, home.resolve("mpi.log"), line -> {
            if (line.startsWith("round ")) {
                rounds.incrementAndGet();
            }
        });
    }

    /** Why there can be no MPI on this machine; empty if there can. */
    static String missing() {
        try {
            Programs.find("mpiexec.hydra", "mpich");
            Programs.find("mpicc", "libmpich-dev");
            return "";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String about() {
        return "MPI, a ring of " + slots + " processes which start together";
    }

    @Override
    public String progress() {
        return rounds.get() + " rounds";
    }

    @Override
    public String trouble() {
        return process.trouble();
    }

    @Override
    public void close() {
        process.close();
    }
}
