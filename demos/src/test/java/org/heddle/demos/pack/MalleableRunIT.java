// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.pack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.heddle.packing.cli.HeddlePack;
import org.heddle.packing.io.PlanFile;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.JobCommand;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.SolveContext;
import org.heddle.packing.solve.malleable.MalleablePlanner;
import org.heddle.testkit.Await;
import org.heddle.testkit.ProcessCluster;
import org.heddle.testkit.jobs.EmptyJar;
import org.heddle.testkit.jobs.HeldMaps;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The command runs a malleable plan on a cluster of processes; it and the ResourceManager are killed in the middle, and
 * started again.
 */
@Tag("long-3")
@Tag("newer-line")
class MalleableRunIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String OURS = """
            <heddle-scheduler version="1">
              <queue name="root"><queue name="default"/><queue name="batch"/></queue>
            </heddle-scheduler>
            """;
    private static final Map<String, String> QUEUES = Map.of(
            "yarn.scheduler.capacity.root.queues", "default,batch",
            "yarn.scheduler.capacity.root.default.capacity", "10",
            "yarn.scheduler.capacity.root.batch.capacity", "90",
            "yarn.scheduler.capacity.root.batch.queues", "other",
            "yarn.scheduler.capacity.root.batch.other.capacity", "1w");

    /** Schedulers, and the forms of their queues. */
    enum Kind {
        OURS,
        OURS_WITH_CAPACITY_SCHEDULERS_FILE,
        CAPACITY_SCHEDULER
    }

    @TempDir
    private Path directory;

    private static String capacityFile() {
        StringBuilder xml = new StringBuilder("<configuration>");
        QUEUES.forEach((key, value) -> xml.append("<property><name>")
                .append(key)
                .append("</name><value>")
                .append(value)
                .append("</value></property>"));
        return xml.append("</configuration>").toString();
    }

    private ProcessCluster cluster(Kind kind) throws IOException {
        ProcessCluster.Builder plan = ProcessCluster.builder().oneManager().nodes(2, 3072, 8);
        if (kind == Kind.CAPACITY_SCHEDULER) {
            return plan.properties(QUEUES)
                    .property("yarn.scheduler.configuration.store.class", "fs")
                    .property(
                            "yarn.scheduler.configuration.fs.path",
                            directory.resolve("store").toUri().toString())
                    .start();
        }
        return plan.scheduler("org.heddle.drf.DrfScheduler")
                .queuesFile("yarn.scheduler.heddle.configuration.file", kind == Kind.OURS ? OURS : capacityFile())
                .property("yarn.scheduler.heddle.configuration.mutable", "true")
                .start();
    }

    /** No fixed numbers of VMs are as good on two slots as taking turns. */
    private Path plan(Path held) throws IOException {
        Path jar = EmptyJar.write(directory.resolve("program.jar"));
        List<Job> jobs = new ArrayList<>();
        for (String name : List.of("one", "two", "three")) {
            List<String> arguments = List.of(name, "4", held.toString());
            JobCommand command = new JobCommand(jar.toString(), HeldProgram.class.getName(), arguments, Map.of());
            jobs.add(new Job(name, new PowerModel(16, -0.5), false, false, command));
        }
        Problem problem = new Problem("turns", 2, 1, 1, new Alpha(1.1), jobs);
        Plan plan = new MalleablePlanner().plan(problem, SolveContext.quiet(5));
        assertThat(plan.kind()).isEqualTo(PlanKind.MALLEABLE);
        assertThat(plan.phases()).hasSizeGreaterThan(1);
        Path file = directory.resolve(held.getFileName() + ".json");
        return Files.writeString(file, PlanFile.write(problem, plan, 0).toPrettyString());
    }

    @ParameterizedTest
    @EnumSource
    void aRunSurvivesKillsOfItselfAndOfTheResourceManager(Kind kind) throws Exception {
        Path held = directory.resolve("held");
        Path plan = plan(held);
        Path heldForEver = plan(directory.resolve("held-for-ever"));
        try (ProcessCluster cluster = cluster(kind);
                YarnClient yarn = YarnClient.createYarnClient()) {
            yarn.init(cluster.configuration());
            yarn.start();
            Process first = run(cluster, "first.log", plan, "killed");
            // A master that was just being started is waited for by YARN for ten minutes.
            Await.until(
                    "masters to run",
                    PATIENCE,
                    () -> running(yarn).size() >= 2
                            && running(yarn).stream()
                                    .allMatch(one -> one.getYarnApplicationState() == YarnApplicationState.RUNNING),
                    () -> told("first.log"));
            Await.exit("the killed run", PATIENCE, first.destroyForcibly());
            assertThat(configuration(cluster)).contains("root.batch.killed-");
            assertThat(running(yarn))
                    .allSatisfy(report -> assertThat(report.getQueue()).contains("killed-"));

            cluster.daemon("rm1").kill();
            cluster.startStopped();
            cluster.awaitActiveManager();
            assertThat(finish(run(cluster, "refused.log", plan, "killed", "--clean")))
                    .isNotZero();
            assertThat(told("refused.log")).contains("still running").doesNotContain("\tat ");
            HeldMaps.letAllGo(held);
            assertThat(finish(run(cluster, "second.log", plan, "killed")))
                    .as(() -> told("second.log"))
                    .isZero();
            assertThat(told("second.log"))
                    .contains("one done", "two done", "three done", "all: predicted")
                    .doesNotContain("waits, ");
            assertThat(yarn.getApplications()).hasSize(3);
            assertThat(configuration(cluster)).contains("root.batch").doesNotContain("killed-");

            Process abandoned = run(cluster, "abandoned.log", heldForEver, "abandoned");
            Await.until("applications to run", PATIENCE, () -> running(yarn).size() >= 2, () -> told("abandoned.log"));
            Await.exit("the abandoned run", PATIENCE, abandoned.destroyForcibly());
            for (ApplicationReport report : running(yarn)) {
                yarn.killApplication(report.getApplicationId());
            }
            assertThat(configuration(cluster)).contains("abandoned-");
            Await.until(
                    "the applications to be gone", PATIENCE, () -> running(yarn).isEmpty());
            // An application is in its queue for a moment after YARN says that it has ended.
            Await.until(
                    "the queues to be empty and removed",
                    PATIENCE,
                    () -> finish(run(cluster, "clean.log", heldForEver, "abandoned", "--clean")) == 0,
                    () -> told("clean.log"));
            assertThat(configuration(cluster)).doesNotContain("abandoned-");
        }
    }

    private static List<ApplicationReport> running(YarnClient yarn) throws Exception {
        return yarn.getApplications(EnumSet.of(
                YarnApplicationState.NEW,
                YarnApplicationState.SUBMITTED,
                YarnApplicationState.ACCEPTED,
                YarnApplicationState.RUNNING));
    }

    private static String configuration(ProcessCluster cluster) throws IOException {
        URI address =
                cluster.managerUri("rm1", "/ws/v1/cluster/scheduler-conf?user.name=" + System.getProperty("user.name"));
        return cluster.get(address);
    }

    private Process run(ProcessCluster cluster, String log, Path plan, String id, String... more) throws IOException {
        Path site = directory.resolve("site");
        cluster.writeClientConfiguration(site);
        List<String> line = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-cp",
                site + File.pathSeparator + System.getProperty("java.class.path"),
                HeddlePack.class.getName(),
                "run",
                "--queue",
                "root.batch",
                "--run-id",
                id,
                "--state",
                directory.resolve("state").toString()));
        line.addAll(List.of(more));
        line.add(plan.toString());
        return new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(log).toFile())
                .start();
    }

    private static int finish(Process process) throws Exception {
        return Await.exit("the run", Duration.ofMinutes(3), process);
    }

    private String told(String log) {
        try {
            return Files.readString(directory.resolve(log));
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @AfterEach
    void endPrograms() {
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            all.filter(p -> p.info()
                            .commandLine()
                            .filter(l -> l.contains(directory.toString()))
                            .isPresent())
                    .forEach(ProcessHandle::destroyForcibly);
        }
    }
}
