// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.pack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import org.heddle.demos.Stage;
import org.heddle.packing.io.ProblemFile;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Problem;
import org.heddle.testkit.ClusterBuilder;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.jobs.EmptyJar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./demo pack}: cluster up, profile, plan, run twice, compare, cluster down. */
@Command(
        name = "pack",
        mixinStandardHelpOptions = true,
        description = {
            "Real jobs, paced so that two cores are enough, are profiled on a cluster of two nodes with two disks",
            "each, planned, run one after the other, and run by plan. Every step is a heddle pack command you see.",
            "Takes about six minutes on an idle machine. Exit code 0: all jobs succeeded; the goals met and missed are",
            "printed."
        })
public final class PackDemo implements Callable<Integer> {
    private static final String QUIET = """
            log4j.rootLogger=WARN, err
            log4j.appender.err=org.apache.log4j.ConsoleAppender
            log4j.appender.err.target=System.err
            log4j.appender.err.layout=org.apache.log4j.PatternLayout
            log4j.appender.err.layout.ConversionPattern=%d{ISO8601} %-5p %c{2}: %m%n
            """;

    @Option(
            names = "--rounds",
            defaultValue = "1",
            description = "how many batches to run; the first has all jobs, others some of them"
                    + " (default: ${DEFAULT-VALUE})")
    private int rounds;

    @Option(
            names = "--at",
            defaultValue = "4,2,1",
            description = "VM counts to profile the jobs at (default: ${DEFAULT-VALUE})")
    private String at = "4,2,1";

    @Option(names = "--pairs", description = "also run the jobs side by side and measure alpha")
    private boolean pairs;

    @Option(
            names = "--fitted",
            paramLabel = "FILE",
            description = "do not profile; take the models of an earlier run's fitted.json")
    private @Nullable Path fittedBefore;

    @Option(names = "--jobs", split = ",", description = "only these of copy-large, copy-small, hash-large, hash-small")
    private List<String> only = new ArrayList<>();

    @Option(
            names = "--size",
            defaultValue = "1",
            description = "how much work the jobs are, 0.1 to 10 (default: ${DEFAULT-VALUE})")
    private double size = 1;

    @Option(names = "--seed", defaultValue = "1", description = "seed of the batches (default: ${DEFAULT-VALUE})")
    private long seed;

    @Option(
            names = "--out",
            description = "directory for plans, pictures and logs (default: a new one in demos/target)")
    private @Nullable Path out;

    private final PrintStream console = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private volatile @Nullable PackCommand command;

    @Override
    public Integer call() throws Exception {
        if (rounds < 1 || rounds > 100) {
            console.println("demo: --rounds " + rounds + ": give 1 to 100");
            return 2;
        }
        if (fittedBefore != null && !Files.isReadable(fittedBefore)) {
            console.println("demo: --fitted " + fittedBefore + ": there is no such file");
            return 2;
        }
        if (!(size >= 0.1 && size <= 10)) {
            console.println("demo: --size " + size + ": give 0.1 to 10");
            return 2;
        }
        Stage stage = Stage.set("pack", out, console);
        ClusterBuilder plan = HeddleCluster.builder()
                .nodes(Batch.MACHINES, Map.of("memory-mb", 8192L, "vcores", 16L, "disk", (long) Batch.DISKS))
                .addressesAsNames()
                .property("yarn.scheduler.capacity.maximum-am-resource-percent", "0.9")
                // Hadoop's default: the faster a master asks, the likelier it is granted a container too many.
                .property("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", "1000")
                .mapReduce()
                .withoutHistoryServer();
        return stage.play(plan, this::stop, cluster -> {
            try (Census census = new Census(cluster.resourceManager()).start()) {
                compare(cluster, stage.home(), census);
            }
            return 0;
        });
    }

    private void compare(HeddleCluster cluster, Path home, Census census) throws Exception {
        Path site = home.resolve("conf");
        cluster.writeClientConfiguration(site);
        Files.writeString(site.resolve("log4j.properties"), QUIET);
        PackCommand pack = new PackCommand(site, home, console);
        command = pack;
        // The classes of the jobs are on the class path.
        Path jar = EmptyJar.write(home.resolve("jobs.jar"));
        Problem all = chosen(Batch.all(jar.toString(), size));
        Files.writeString(home.resolve("jobs.json"), ProblemFile.write(all).toPrettyString());
        Path models = home.resolve("fitted.json");
        if (fittedBefore == null) {
            List<String> profile = new ArrayList<>(
                    List.of("profile", "--at", at, "--keep-classes", "--plots", "fits", "-o", "fitted.json"));
            if (pairs) {
                profile.add("--pairs");
            }
            profile.add("jobs.json");
            pack.run(profile.toArray());
        } else {
            Files.copy(fittedBefore, models);
        }
        Problem fitted = chosen(ProblemFile.read(models, System.in).problem());
        Comparison comparison = new Comparison();
        Random random = new Random(seed);
        for (int i = 1; i <= rounds; i++) {
            Problem some = i == 1 ? fitted : fitted.withJobs(some(fitted.jobs(), random));
            console.println();
            console.println("Round " + i + " of " + rounds);
            comparison.add(round(pack, some, home, "round-" + i, census));
        }
        comparison.print(console);
        console.println();
        console.println("Models: " + (fittedBefore == null ? home.resolve("fits") : models));
        console.println("Plan with predicted and actual times: " + home.resolve("round-1.html"));
    }

    private Problem chosen(Problem problem) {
        if (only.isEmpty()) {
            return problem;
        }
        return problem.withJobs(
                problem.jobs().stream().filter(job -> only.contains(job.name())).toList());
    }

    private static List<Job> some(List<Job> jobs, Random random) {
        List<Job> shuffled = new ArrayList<>(jobs);
        Collections.shuffle(shuffled, random);
        int count = 2 + random.nextInt(Math.max(1, jobs.size() - 1));
        return List.copyOf(shuffled.subList(0, Math.min(count, shuffled.size())));
    }

    private static Comparison.Round round(PackCommand pack, Problem problem, Path home, String name, Census census)
            throws Exception {
        String file = name + ".json";
        Files.writeString(home.resolve(file), ProblemFile.write(problem).toPrettyString());
        String one = name + "-sequential";
        String plan = name + "-plan";
        pack.run("plan", "--quiet", "--planner", "sequential", "-o", one + ".json", file);
        pack.run("plan", "--quiet", "-o", plan + ".json", file);
        pack.run("run", "--run-id", one, "--report", one + ".report", one + ".json");
        pack.run(
                "run",
                "--run-id",
                plan,
                "--report",
                plan + ".report",
                "--html",
                name + ".html",
                "--svg",
                name + ".svg",
                plan + ".json");
        return new Comparison.Round(
                problem.jobs().stream().map(Job::name).toList(),
                read(home.resolve(one + ".report"), census),
                read(home.resolve(plan + ".report"), census));
    }

    private static Comparison.Run read(Path report, Census census) throws IOException {
        JsonNode root = new ObjectMapper().readTree(report.toFile());
        int over = 0;
        int granted = 0;
        for (JsonNode job : root.path("jobs")) {
            String application = job.path("application").asText();
            int most = job.path("vms").asInt() + 1;
            over = Math.max(over, census.mostRunning(application) - most);
            granted = Math.max(granted, census.mostHeld(application) - most);
        }
        return new Comparison.Run(
                root.path("predicted").asDouble(), root.path("actual").asDouble(), over, granted);
    }

    private void stop() {
        PackCommand running = command;
        if (running != null) {
            running.stop();
        }
    }
}
