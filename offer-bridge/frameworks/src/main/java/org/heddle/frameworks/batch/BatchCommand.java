// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.batch;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.heddle.frameworks.offers.BridgeOptions;
import org.heddle.frameworks.offers.BridgePages;
import org.heddle.offers.client.HttpSchedulerDriver;
import org.heddle.offers.client.SchedulerDriver;
import org.heddle.settings.Clocks;
import org.heddle.settings.command.DurationConverter;
import org.heddle.settings.command.SizeConverter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code heddle batch}: the daemon and the commands of its users. */
@Command(
        name = "batch",
        description = {
            "A queue of batch jobs on offers. serve is its daemon; qsub, qstat and qdel work also while it is down.",
            "Jobs start in the order of submission; a later one may pass if it delays no earlier one."
        })
public final class BatchCommand {
    private static final int TICK_MILLIS = 500;
    private static final double FAILOVER_SECONDS = 7 * 24 * 3600.0;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--dir",
            scope = ScopeType.INHERIT,
            paramLabel = "DIR",
            defaultValue = "${sys:user.home}/.heddle/batch",
            description = "Where daemon and commands meet; whoever may write there may run commands as"
                    + " the daemon's user. Default: ~/.heddle/batch.")
    private Path directory = Path.of("");

    private PrintWriter out() {
        return java.util.Objects.requireNonNull(spec).commandLine().getOut();
    }

    @Command(
            name = "serve",
            mixinStandardHelpOptions = true,
            description = "Runs the daemon until it is ended. Jobs go"
                    + " on without it for a week, and the next daemon continues them.")
    int serve(
            @Mixin BridgeOptions bridge,
            @Option(
                            names = "--whole-cluster",
                            description =
                                    "Uses more than the queue's guaranteed share where it is free; such jobs may be"
                                            + " preempted, and are queued again.")
                    boolean wholeCluster)
            throws IOException, InterruptedException {
        bridge.bridges();
        Spool spool = new Spool(directory);
        spool.lock();
        BatchDaemon daemon = new BatchDaemon(
                spool, new BridgePages(bridge), wholeCluster, Clocks.SYSTEM.datesWithoutSteps(), System.err);
        try (SchedulerDriver driver = new HttpSchedulerDriver(
                daemon, bridge.info("batch", FAILOVER_SECONDS, daemon.frameworkId()), bridge.bridges())) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> driver.stop(true)));
            driver.start();
            while (daemon.problem().isEmpty()) {
                daemon.tick();
                TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
            }
            driver.stop(true);
        }
        throw new IOException(daemon.problem());
    }

    @Command(name = "qsub", mixinStandardHelpOptions = true, description = "Submits a job and prints its id.")
    int qsub(
            @Option(
                            names = {"-N", "--name"},
                            paramLabel = "NAME",
                            defaultValue = "job",
                            description = "A name.")
                    String name,
            @Option(
                            names = {"-n", "--tasks"},
                            paramLabel = "N",
                            defaultValue = "1",
                            description = "Tasks, which start together. Default: ${DEFAULT-VALUE}.")
                    int tasks,
            @Option(
                            names = {"-t", "--array"},
                            paramLabel = "N",
                            description = "An array: N tasks, each of which starts when there is room.")
                    @Nullable
                    Integer array,
            @Option(
                            names = "--cpus",
                            paramLabel = "N",
                            defaultValue = "1",
                            description = "CPUs of each task. Default: ${DEFAULT-VALUE}.")
                    double cpus,
            @Option(
                            names = "--mem",
                            paramLabel = "SIZE",
                            defaultValue = "256Mi",
                            converter = SizeConverter.class,
                            description = "Memory of each task. Default: ${DEFAULT-VALUE}; a number without a unit is"
                                    + " MiB.")
                    int mem,
            @Option(
                            names = "--walltime",
                            paramLabel = "DURATION",
                            defaultValue = "1h",
                            converter = DurationConverter.Seconds.class,
                            description = "The longest time that a task may run, for example 90s or 2h. Default:"
                                    + " ${DEFAULT-VALUE}.")
                    Duration walltime,
            @Option(
                            names = "--output",
                            paramLabel = "DIR",
                            defaultValue = "",
                            description = "A directory on all nodes for ID.INDEX.out and ID.INDEX.err. Default: the"
                                    + " tasks' sandboxes, which the bridge's console shows.")
                    String output,
            @Option(
                            names = "--speculate",
                            description = "Runs late elements of an array twice; for commands that may run twice.")
                    boolean speculate,
            @Parameters(arity = "1..*", paramLabel = "COMMAND", description = "A command of bash.") List<String> words)
            throws IOException {
        JobSpec job = new JobSpec(
                name,
                String.join(" ", words),
                array == null ? tasks : array,
                cpus,
                mem,
                walltime.toSeconds(),
                array != null,
                existing(output),
                speculate);
        Spool spool = new Spool(directory);
        Limits limits = spool.load().limits();
        String problem = limits == null ? null : limits.problem(job);
        if (problem != null) {
            throw new IllegalArgumentException(problem);
        }
        out().println(spool.submit(job));
        out().flush();
        return 0;
    }

    /** The absolute path of a directory for output; empty for none. */
    private static String existing(String output) {
        Path path = Path.of(output).toAbsolutePath();
        if (!output.isEmpty() && !(Files.isDirectory(path) && Files.isWritable(path))) {
            throw new IllegalArgumentException("--output " + output + " is no directory of this machine into which you"
                    + " may write: make it, on all nodes, or leave --output out");
        }
        return output.isEmpty() ? "" : path.toString();
    }

    @Command(name = "qstat", mixinStandardHelpOptions = true, description = "Lists the jobs.")
    int qstat(
            @Parameters(arity = "0..*", paramLabel = "ID", description = "These jobs only.") @Nullable List<String> ids)
            throws IOException {
        Spool spool = new Spool(directory);
        List<String> wanted = ids == null ? List.of() : ids;
        // Messages first: a job that moves from one to the other in between is listed twice, not never.
        List<Spool.Message> unseen = spool.unseen();
        List<Job> jobs = spool.load().jobs();
        List<String> known = new ArrayList<>(jobs.stream().map(Job::id).toList());
        unseen.removeIf(message -> known.contains(message.id()));
        unseen.forEach(message -> known.add(message.id()));
        for (String id : wanted) {
            if (!known.contains(id)) {
                throw new IllegalArgumentException("there is no job " + id + " in " + directory);
            }
        }
        QueueView.lines(
                        jobs.stream()
                                .filter(job -> wanted.isEmpty() || wanted.contains(job.id()))
                                .toList(),
                        unseen.stream()
                                .filter(one -> wanted.isEmpty() || wanted.contains(one.id()))
                                .toList(),
                        Clocks.SYSTEM.date())
                .forEach(out()::println);
        out().flush();
        return 0;
    }

    @Command(name = "qdel", mixinStandardHelpOptions = true, description = "Ends jobs, or takes them out of the queue.")
    int qdel(@Parameters(arity = "1..*", paramLabel = "ID", description = "Ids from qsub.") List<String> ids)
            throws IOException {
        Spool spool = new Spool(directory);
        List<String> known =
                new ArrayList<>(spool.unseen().stream().map(Spool.Message::id).toList());
        spool.load().jobs().forEach(job -> known.add(job.id()));
        for (String id : ids) {
            if (!known.contains(id)) {
                throw new IllegalArgumentException("there is no job " + id + " in " + directory);
            }
        }
        for (String id : ids) {
            spool.delete(id);
        }
        return 0;
    }
}
