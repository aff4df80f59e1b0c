// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.mpi;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import org.heddle.frameworks.gang.Gang;
import org.heddle.frameworks.offers.BridgeOptions;
import org.heddle.frameworks.offers.Programs;
import org.heddle.frameworks.offers.Size;
import org.heddle.settings.command.DurationConverter;
import org.heddle.settings.command.SizeConverter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle mpiexec}: the command line, and what it says about the run. */
@Command(
        name = "mpiexec",
        description = {
            "Runs an MPI program on offers, with MPICH's mpiexec.hydra. Output and exit code are those of mpiexec;",
            "75: the cluster took a node away."
        })
public final class MpiexecCommand implements Callable<Integer> {
    @Mixin
    BridgeOptions bridge = new BridgeOptions();

    @Option(
            names = {"-n", "-np"},
            required = true,
            paramLabel = "N",
            description = "How many processes.")
    int slots;

    @Option(
            names = "--cpus",
            paramLabel = "N",
            defaultValue = "1",
            description = "CPUs of each process. Default: ${DEFAULT-VALUE}.")
    double cpus;

    @Option(
            names = "--mem",
            paramLabel = "SIZE",
            defaultValue = "256Mi",
            converter = SizeConverter.class,
            description = "Memory of each process. Default: ${DEFAULT-VALUE}; a number without a unit is" + " MiB.")
    int memMb;

    @Option(
            names = "--hold",
            paramLabel = "DURATION",
            defaultValue = "20s",
            converter = DurationConverter.Seconds.class,
            description =
                    "How long to hold a part of the slots before all are given back. Default:" + " ${DEFAULT-VALUE}.")
    Duration hold = Duration.ZERO;

    @Option(
            names = "--guaranteed",
            description = "Refuses to start when the slots are more than the queue's guaranteed share.")
    boolean guaranteed;

    @Option(
            names = "--restarts",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "How often to start again from the beginning when a node is lost. Default:" + " ${DEFAULT-VALUE}.")
    int restarts;

    @Option(
            names = "--wdir",
            paramLabel = "DIR",
            description = "Working directory of the program on the nodes. Default: the current one.")
    String directory = "";

    @Parameters(
            arity = "1..*",
            paramLabel = "PROGRAM",
            description = "The program, as on the nodes, and its arguments.")
    List<String> program = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (slots < 1 || cpus <= 0 || hold.isZero() || restarts < 0) {
            throw new IllegalArgumentException("-n " + slots + " --cpus " + cpus + " --hold " + hold.toMillis()
                    + "ms --restarts " + restarts + ": all but --restarts must be above 0");
        }
        bridge.bridges();
        mpiexec();
        Gang gang = new Gang(slots, hold.toMillis(), RandomGenerator.getDefault());
        return new MpiRun(this, gang, () -> System.nanoTime() / 1_000_000, System.err).run();
    }

    Size slot() {
        return new Size(cpus, memMb);
    }

    String name() {
        return String.valueOf(Path.of(program.get(0)).getFileName());
    }

    List<String> programWithOptions() {
        List<String> all = new ArrayList<>();
        if (!directory.isEmpty()) {
            all.add("-wdir");
            all.add(directory);
        }
        all.addAll(program);
        return all;
    }

    String mpiexec() throws IOException {
        return Programs.find("mpiexec.hydra", "mpich");
    }
}
