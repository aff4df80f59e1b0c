// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerAppReport;
import org.heddle.packing.check.AtOnce;
import org.heddle.packing.cli.HeddlePack;
import org.heddle.packing.io.PlanFile;
import org.heddle.packing.io.ProblemFile;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.JobCommand;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.heddle.packing.model.WaveModel;
import org.heddle.packing.solve.SolveContext;
import org.heddle.packing.solve.phased.PhasedPlanner;
import org.heddle.packing.solve.phased.SequentialPlanner;
import org.heddle.packing.solve.timed.NonPhasedPlanner;
import org.heddle.settings.Clocks;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.jobs.EmptyJar;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plans on a real ResourceManager with disks as a resource, jobs as real programs, and the command as a
 * real process where it is killed. Nodes have no resource-types.xml on the class path of containers.
 */
class YarnRunIT {
    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .nodes(2, Map.of("memory-mb", 5120L, "vcores", 8L, "disk", 1L))
            .addressesAsNames()
            .property("yarn.scheduler.capacity.maximum-am-resource-percent", "0.9")
            .property("dfs.client.cached.conn.retry", "7") // something of hdfs-site.xml
            .mapReduce()
            .withoutHistoryServer()
            .build();

    @TempDir
    private Path directory;

    private final Map<String, Integer> most = new HashMap<>();
    private final List<String> ended = new ArrayList<>();
    private final List<String> leftOut = new ArrayList<>();
    private int mostDisksOnANode;
    /** Exists until two jobs have ended or one has failed. */
    private @Nullable Path held;

    /** Two slots, one per node, so that three I/O jobs need two phases. */
    private static Problem problem(String id, Job... jobs) {
        return new Problem(id, 2, 1, 1, new Alpha(1.1), List.of(jobs));
    }

    private static Plan plan(Problem problem) {
        return new PhasedPlanner().plan(problem, SolveContext.quiet(10));
    }

    /** A job that fails as often as its directory is asked to see. */
    private Job job(String name, int maps, int millis, boolean cpu, int failures) throws IOException {
        Path marks = Files.createDirectories(directory.resolve("marks-" + name));
        Path jar = EmptyJar.write(directory.resolve("program.jar"));
        return new Job(
                name,
                new WaveModel(maps, millis / 1000.0 + 2, 8),
                cpu,
                !cpu,
                new JobCommand(
                        jar.toString(),
                        FailingJob.class.getName(),
                        List.of(
                                String.valueOf(maps),
                                String.valueOf(millis),
                                marks.toString(),
                                String.valueOf(failures)),
                        Map.of()));
    }

    private RunOutcome execute(Problem problem, Plan plan, String id, boolean replan) throws Exception {
        Path home = Files.createDirectories(directory.resolve(id));
        try (Cluster yarn = new YarnCluster(cluster.configuration(), home)) {
            assertThat(yarn.knowsResource("disk")).isTrue();
            return new Execution(
                            yarn,
                            home,
                            id,
                            "disk",
                            Clocks.SYSTEM,
                            () -> TimeUnit.MILLISECONDS.sleep(250),
                            new Watcher())
                    .run(problem, plan, replan ? YarnRunIT::plan : null);
        }
    }

    /** Notes what runs, and which disks are taken, while the plan is executed. */
    private final class Watcher implements Execution.Listener {
        @Override
        public void polled(int phase, int phases, Map<String, JobStatus> running) {
            running.forEach((job, status) -> most.merge(job, runningContainers(status.application()), Math::max));
            for (RMNode node :
                    cluster.resourceManager().getRMContext().getRMNodes().values()) {
                Resource used = cluster.resourceManager()
                        .getResourceScheduler()
                        .getNodeReport(node.getNodeID())
                        .getUsedResource();
                mostDisksOnANode = Math.max(mostDisksOnANode, (int) used.getResourceValue("disk"));
            }
        }

        @Override
        public void waits(String why) {
            throw new AssertionError(why);
        }

        @Override
        public void ended(String job, JobStatus status) {
            ended.add(job);
            if (held != null && (ended.size() == 2 || status.state() == JobStatus.State.FAILED)) {
                assertThat(held.toFile().delete()).isTrue();
                held = null;
            }
        }

        @Override
        public void replanned(Plan plan, List<String> out) {
            leftOut.addAll(out);
        }
    }

    /** Not those that a master was granted too many, which it gives back without having started anything in them. */
    private static int runningContainers(String application) {
        RMApp app = cluster.resourceManager().getRMContext().getRMApps().get(ApplicationId.fromString(application));
        RMAppAttempt attempt = app == null ? null : app.getCurrentAppAttempt();
        SchedulerAppReport report = attempt == null
                ? null
                : cluster.resourceManager().getResourceScheduler().getSchedulerAppInfo(attempt.getAppAttemptId());
        return report == null
                ? 0
                : (int) report.getLiveContainers().stream()
                        .filter(container -> container.getState() == RMContainerState.RUNNING)
                        .count();
    }

    private static long applications(String runId) {
        return cluster.resourceManager().getRMContext().getRMApps().values().stream()
                .filter(app -> app.getApplicationTags().contains(RunTag.run(runId)))
                .count();
    }

    private static String logs(RunOutcome outcome) {
        StringBuilder text = new StringBuilder();
        for (RunOutcome.JobOutcome job : outcome.jobs()) {
            if (job.status().state() == JobStatus.State.FAILED) {
                text.append(job.job()).append(": ").append(job.status().trouble());
                text.append(cluster.logs().describe(job.status().application()));
            }
        }
        return text.toString();
    }

    @Test
    @Tag("long-3")
    void runsPhaseByPhaseWithinItsCapsAndIsNotRunAgain() throws Exception {
        Problem problem = problem(
                "it",
                job("wide", 4, 1_000, false, 0),
                job("narrow", 1, 1_000, false, 0),
                job("sums", 2, 1_000, true, 0),
                job("small", 1, 1_000, false, 0));
        Plan plan = plan(problem);
        assertThat(plan.phases()).hasSizeGreaterThan(1);
        assertThat(plan.phases().stream().flatMap(p -> p.assignments().stream()))
                .as("an extra and its host on one node")
                .anyMatch(share -> share.role() == Role.EXTRA);
        RunOutcome outcome = execute(problem, plan, "Whole", false);
        assertThat(outcome.succeeded(problem)).as(() -> logs(outcome)).isTrue();
        assertThat(outcome.jobs()).hasSize(4);
        outcome.jobs().forEach(job -> {
            assertThat(most.getOrDefault(job.job(), 0)).as(job.job()).isBetween(2, job.vms() + 1);
            assertThat(job.actual()).isPositive();
        });
        assertThat(mostDisksOnANode).isEqualTo(1);
        assertThat(outcome.utilisation()).isBetween(0.05, 1.0);
        ended.clear();
        RunOutcome again = execute(problem, plan, "Whole", false);
        assertThat(again.succeeded(problem)).isTrue();
        assertThat(again.actual()).isEqualTo(outcome.actual());
        assertThat(ended).isEmpty();
        assertThat(applications("Whole")).isEqualTo(4);
        assertThat(Feedback.apply(problem, again).jobs()).hasSize(4);
    }

    @Test
    @Tag("long-3")
    void allJobsAtOnceShareTheCluster() throws Exception {
        Problem problem = problem(
                "once",
                job("wide", 4, 1_000, false, 0),
                job("narrow", 1, 1_000, false, 0),
                job("small", 1, 1_000, false, 0));
        RunOutcome outcome = execute(problem, AtOnce.plan(problem), "Once", false);
        assertThat(outcome.succeeded(problem)).as(() -> logs(outcome)).isTrue();
        long firstEnd = outcome.jobs().stream()
                .mapToLong(job -> job.status().finishMillis())
                .min()
                .orElseThrow();
        assertThat(outcome.jobs()).hasSize(3).as("none waited for another").allMatch(job -> job.launched() < firstEnd);
        assertThat(mostDisksOnANode).isEqualTo(1);
    }

    /** One job takes one of the two slots, two others follow each other on the other one. */
    @Test
    @Tag("long-3")
    void aNonPhasedPlanStartsEachJobWhenItsSlotIsFree() throws Exception {
        Problem problem = problem(
                "free",
                job("long", 1, 15_000, false, 0),
                job("first", 1, 1_000, false, 0),
                job("second", 1, 1_000, false, 0));
        Plan plan = new NonPhasedPlanner().plan(problem, SolveContext.quiet(5));
        assertThat(plan.kind()).isEqualTo(PlanKind.NONPHASED);
        assertThat(plan.phases()).hasSize(1);
        held = Files.createFile(directory.resolve("marks-long").resolve(FailingJob.HELD));
        RunOutcome outcome = execute(problem, plan, "Free", false);
        assertThat(outcome.succeeded(problem)).as(() -> logs(outcome)).isTrue();
        assertThat(ended).as("both end beside the long one").endsWith("long").hasSize(3);
        assertThat(mostDisksOnANode).isEqualTo(1);
        Map<String, RunOutcome.JobOutcome> jobs = new HashMap<>();
        outcome.jobs().forEach(job -> jobs.put(job.job(), job));
        assertThat(List.of("first", "second"))
                .anySatisfy(earlier -> assertThat(List.of("first", "second"))
                        .anySatisfy(later -> assertThat(
                                        Objects.requireNonNull(jobs.get(later)).launched())
                                .isGreaterThanOrEqualTo(Objects.requireNonNull(jobs.get(earlier))
                                        .overMillis())));
    }

    @Test
    @Tag("soak")
    void aFailureInTheMiddleIsPlannedAround() throws Exception {
        Problem problem = problem(
                "around",
                job("hopeless", 2, 500, false, 9),
                job("failures", 2, 500, false, 1),
                job("sound", 2, 500, false, 0));
        Plan oneByOne = new SequentialPlanner().plan(problem, SolveContext.quiet(1));
        RunOutcome stopped = execute(problem, oneByOne, "around", false);
        assertThat(stopped.jobs()).extracting(RunOutcome.JobOutcome::job).containsExactly("hopeless");
        assertThat(stopped.jobs().get(0).status().trouble()).contains("failed");
        RunOutcome outcome = execute(problem, oneByOne, "around", true);
        assertThat(outcome.last())
                .filteredOn(j -> j.status().state() == JobStatus.State.SUCCEEDED)
                .extracting(RunOutcome.JobOutcome::job)
                .as(() -> logs(outcome))
                .containsExactlyInAnyOrder("sound", "failures");
        assertThat(outcome.succeeded(problem)).isFalse();
        assertThat(leftOut).contains("hopeless");
        assertThat(applications("around")).isEqualTo(5);
        RunOutcome again = execute(problem, oneByOne, "around", true);
        assertThat(again.jobs()).hasSameSizeAs(outcome.jobs());
        assertThat(applications("around")).isEqualTo(5);
    }

    @Test
    @Tag("long-3")
    @Tag("newer-line")
    void aPlannerThatIsKilledContinuesWithoutRunningAnythingTwice() throws Exception {
        Problem problem = problem("killed", job("one", 2, 3_000, false, 0), job("two", 1, 500, false, 0));
        Path file = directory.resolve("plan.json");
        Files.writeString(file, PlanFile.write(problem, plan(problem), 0).toPrettyString());
        Object[] run = {
            "run",
            "--run-id",
            "killed",
            "--state",
            directory.resolve("state"),
            "--html",
            directory.resolve("plan.html"),
            file
        };
        Process first = command("first.log", run);
        Await.until(
                "an application of the run to be running",
                Duration.ofSeconds(60),
                () -> cluster.resourceManager().getRMContext().getRMApps().values().stream()
                        .filter(app -> app.getApplicationTags().contains(RunTag.run("killed")))
                        .anyMatch(app -> app.getProgress() > 0 && !isOver(app)));
        Await.exit("the killed run", Duration.ofSeconds(20), first.destroyForcibly());
        String told = finish(command("second.log", run), "second.log");
        assertThat(told).contains("one done", "two done", "all: predicted");
        assertThat(applications("killed")).isEqualTo(2);
        assertThat(directory.resolve("plan.html")).content().contains("Actual, s");
        try (Stream<Path> files = Files.walk(directory.resolve("state"))) {
            assertThat(files.filter(one -> one.endsWith("hdfs-site.xml")))
                    .as("what the jobs know of HDFS")
                    .hasSize(2)
                    .allSatisfy(one -> assertThat(one).content().contains("<name>dfs.client.cached.conn.retry</name>"));
        }
    }

    private static boolean isOver(RMApp app) {
        return app.getFinishTime() > 0;
    }

    private Process command(String log, Object... args) throws IOException {
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
                HeddlePack.class.getName()));
        for (Object arg : args) {
            line.add(arg.toString());
        }
        return new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(log).toFile())
                .start();
    }

    private String finish(Process process, String log) throws Exception {
        int code = Await.exit("the run", Duration.ofMinutes(3), process);
        String told = Files.readString(directory.resolve(log));
        assertThat(code).as(told).isZero();
        return told;
    }

    @Test
    @Tag("soak")
    void profilesAJobAndFitsWhatTheHistoriesOnHdfsSay() throws Exception {
        Problem problem = problem("profiled", job("sleeps", 4, 1_500, false, 0));
        Path file = directory.resolve("problem.json");
        Files.writeString(file, ProblemFile.write(problem).toPrettyString());
        Path points = directory.resolve("points.csv");
        Path fitted = directory.resolve("fitted.json");
        Object[] profile = {
            "profile",
            "--state",
            directory.resolve("state"),
            "--points",
            points,
            "--plots",
            directory,
            "-o",
            fitted,
            file
        };
        String told = finish(command("profile.log", profile), "profile.log");
        assertThat(told).contains("sleeps at n = 2", "sleeps at n = 1", "sleeps: F(n) =", "neither class", "run");
        assertThat(points).content().contains("sleeps,2,", "sleeps,1,");
        assertThat(directory.resolve("sleeps.svg")).exists();
        Job job = ProblemFile.read(fitted, System.in).problem().jobs().get(0);
        assertThat(job.model().seconds(1)).isGreaterThan(job.model().seconds(2));
        assertThat(job.command()).isNotNull();
        String fit = finish(command("fit.log", "fit", "/mapreduce/history/*"), "fit.log");
        assertThat(fit).contains("failing: F(n) =", "runs at n = 1 to 2");
    }

    @AfterEach
    void endPrograms() {
        ProcessHandle.allProcesses()
                .filter(p -> p.info()
                        .commandLine()
                        .filter(l -> l.contains(directory.toString()))
                        .isPresent())
                .forEach(ProcessHandle::destroyForcibly);
    }

    @Test
    void aProgramThatCannotStartIsReported() throws Exception {
        Job broken = new Job(
                "broken",
                new WaveModel(1, 1, 10),
                false,
                false,
                new JobCommand(
                        directory.resolve("nothing.jar").toString(), "org.example.Nothing", List.of(), Map.of()));
        Problem problem = problem("bad", broken);
        RunOutcome outcome = execute(problem, plan(problem), "bad", false);
        assertThat(outcome.succeeded(problem)).isFalse();
        assertThat(outcome.jobs().get(0).status().trouble()).contains("no application appeared", "exit code");
    }
}
