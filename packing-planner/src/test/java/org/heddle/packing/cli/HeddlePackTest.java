// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class HeddlePackTest {
    private static final Path SAMPLES = Path.of("..", "conf-samples", "packing");

    @TempDir
    private Path directory;

    /** What a call printed and returned. */
    private record Call(int code, String out, String err) {}

    private static Call call(Object... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = HeddlePack.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        String[] texts = new String[args.length];
        for (int i = 0; i < args.length; i++) {
            texts[i] = args[i].toString();
        }
        int code = line.execute(texts);
        return new Call(code, out.toString(), err.toString());
    }

    @Test
    void everySampleIsPlannedAndAccepted() throws IOException {
        try (DirectoryStream<Path> samples = Files.newDirectoryStream(SAMPLES, "*.{json,yaml}")) {
            for (Path sample : samples) {
                Path plan = directory.resolve("plan.json");
                Call planned = call("plan", "-o", plan, sample);
                assertThat(planned.code()).as(planned.err()).isZero();
                assertThat(call("check", plan).out())
                        .startsWith("accepted")
                        .contains("optimal phased plan, all partitions considered); check does not prove it again");
                assertThat(call("show", plan).out()).contains("proven optimal");
            }
        }
    }

    @Test
    void explainReadsAPlanFileAndNamesOneJobOnDemand() {
        Path plan = directory.resolve("explained.json");
        call("plan", "--quiet", "-o", plan, SAMPLES.resolve("w1.json"));
        Call all = call("explain", plan);
        assertThat(all.out()).contains("phased plans", "saves 28.4 %");
        Call one = call("explain", "--job", "s-inv#1", plan);
        assertThat(one.out().lines().filter(line -> line.startsWith("- ")))
                .singleElement()
                .asString()
                .startsWith("- s-inv#1 runs in phase");
        assertThat(call("explain", "--job", "nobody", plan).err()).contains("the problem has no job of this name");
    }

    @Test
    void aPlanIsNotTakenForAProblem() {
        Path plan = directory.resolve("plan.json");
        call("plan", "--quiet", "-o", plan, SAMPLES.resolve("w1.json"));
        assertThat(call("plan", plan).err()).contains("is a plan; a problem is wanted here");
    }

    @Test
    void runSaysWhatAMalleablePlanNeeds() {
        Path plan = directory.resolve("malleable.json");
        call("plan", "--quiet", "--planner", "malleable", "-o", plan, SAMPLES.resolve("w1.json"));
        Call run = call("run", plan);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .contains("is a malleable plan; its jobs need queues", "such as --queue root.batch, or --at-once");
        assertThat(call("run", "--queue", "batch", plan).err()).contains("must be a path from root on");
        assertThat(call("run", "--queue", "root.batch", "--at-once", plan).err())
                .contains("is for plans");
        assertThat(call("run", "--clean", "--at-once", plan).err()).contains("give that with --queue");
        assertThat(call("run", "--at-once", "--feedback", directory.resolve("f.json"), plan)
                        .err())
                .contains("--feedback: the times of jobs that shared the cluster correct no model");
    }

    @Test
    void checkJudgesThePlanAndSaysThatItDoesNotProveTheLowerBound() throws IOException {
        Path file = directory.resolve("plan.json");
        Path sample = SAMPLES.resolve("w1.json");
        assertThat(call("plan", "--planner", "sequential", "-o", file, sample).code())
                .isZero();
        ObjectNode plan = (ObjectNode) new ObjectMapper().readTree(file.toFile());
        double makespan = plan.path("makespan").doubleValue();
        plan.put("lowerBound", makespan).put("gap", 0.0).put("optimal", true);
        Files.writeString(file, plan.toString());
        Call accepted = call("check", file);
        assertThat(accepted.code()).isZero();
        assertThat(accepted.out())
                .containsPattern("The lower bound of [0-9.]+ s is taken from the file [(]area bound .*[)];"
                        + " check does not prove it again[.]");
        plan.put("makespan", 2 * makespan).put("optimal", false);
        Files.writeString(file, plan.toString());
        Call refused = call("check", file);
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.out())
                .contains("MAKESPAN", "GAP", "refused (2 violations)")
                .doesNotContain("prove");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sequential", "pair", "phased", "pso", "nonphased", "malleable"})
    void jsonHasWhatIsPromised(String planner) throws IOException {
        Call call = call(
                "plan", "--planner", planner, "--json", "--time-limit", "1", "--quiet", SAMPLES.resolve("w1.json"));
        JsonNode plan = new ObjectMapper().readTree(call.out());
        assertThat(plan.path("makespan").doubleValue())
                .isGreaterThanOrEqualTo(plan.path("lowerBound").doubleValue());
        assertThat(plan.path("gap").isNumber()).isTrue();
        assertThat(plan.path("phases").size()).isPositive();
        assertThat(plan.path("why").size()).isGreaterThanOrEqualTo(5);
    }

    @Test
    void whatIfComparesWithTheSameProblem() {
        Call call = call("what-if", "--pin", "s-inv#1=4", "--machines", "+1", SAMPLES.resolve("w1.json"));
        assertThat(call.out()).contains("as it is", "as asked", "4 VM");
        assertThat(call("what-if", SAMPLES.resolve("w1.json")).out()).contains("+1 machine", "alpha 1.4");
        assertThat(call("explain", SAMPLES.resolve("w1.json")).out()).contains("saves 28.4 %", "best other choice");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            plan --planner magic SAMPLE           | planner "magic" does not exist; choose one of sequential
            plan --time-limit 0 SAMPLE            | --time-limit: must be a duration > 0, such as 500ms, 10s or 5m
            plan --time-limit soon SAMPLE         | 'soon': must be a duration such as 500ms, 15s, 5m or 2h
            plan --tim 5 SAMPLE                   | unknown option --tim (did you mean --time-limit?); see heddle pack plan --help
            plan                                  | missing required parameter: 'FILE'; see heddle pack plan --help
            show SAMPLE extra                     | one argument too many is extra; see heddle pack show --help
            draw SAMPLE                           | unknown command draw
            export --vcores 0 -d x SAMPLE         | --vcores 0: must be a whole number >= 1
            plan --good-enough 2 SAMPLE           | --good-enough 2.0: must be a part from 0 to below 1
            plan nowhere.json                     | nowhere.json: no such file
            what-if --pin s-inv#1=99 SAMPLE       | must be normal or a VM count from 1 to 18
            what-if --pin nobody=2 SAMPLE         | job "nobody" is not in the problem
            what-if --machines -9 SAMPLE          | leaves 0 machines
            what-if --alpha 0.5 SAMPLE            | --alpha 0.5: must be >= 1
            what-if --alpha Infinity SAMPLE       | --alpha Infinity: must be >= 1 (1 = no penalty) and at most 1000
            what-if --machines 9999999 SAMPLE     | 9999999 machines with 2 disks are 19999998 VMs: at most 2000000
            what-if --alpha x SAMPLE              | '--alpha': 'x': must be a number
            plan --seed x SAMPLE                  | '--seed': 'x': must be a whole number
            plan -o /nowhere/x.json SAMPLE        | /nowhere/x.json: cannot be written: the directory /nowhere does not exist
            check SAMPLE                          | is a problem, not a plan; heddle pack plan -o PLAN makes a plan of it
            fit                                   | nothing to fit
            fit nowhere.jhist | does not exist
            run SAMPLE                            | is a problem, not a plan; heddle pack plan -o PLAN makes a plan of it
            profile SAMPLE                        | job s-srt#1 has no run section
            profile --at 99 RUNNABLE              | --at 99: must be from 1 to N = P k = 8
            profile --job nobody RUNNABLE         | --job nobody: is not in the problem; it has generate, pi
            profile --pair-runs 0 RUNNABLE        | --pair-runs 0: must be a whole number >= 1
            profile RUNNABLE                      | set HADOOP_CONF_DIR
            """)
    void mistakesAreAnsweredInOneSentence(String line, String message) {
        Call call = call((Object[]) line.strip()
                .replace("SAMPLE", SAMPLES.resolve("w1.json").toString())
                .replace("RUNNABLE", SAMPLES.resolve("mapreduce-examples.yaml").toString())
                .split(" +"));
        assertThat(call.code()).isEqualTo(2);
        assertThat(call.err()).contains(message).startsWith("heddle pack: ").doesNotContain("\tat ", "Usage");
        assertThat(call.out()).isEmpty();
    }

    @Test
    void manyJobsArePlannedWithoutPhases() throws IOException {
        StringBuilder points = new StringBuilder();
        for (int job = 0; job < 23; job++) {
            points.append("j").append(job).append(",2,500\n");
        }
        Path file = Files.writeString(directory.resolve("many.csv"), points.toString());
        Path problem = directory.resolve("many.json");
        assertThat(call("fit", "--points", file, "-o", problem).code()).isZero();
        assertThat(call("plan", "--quiet", "--time-limit", "200ms", problem).out())
                .contains("planner nonphased", "heddle pack run --at-once PLAN");
    }

    @Test
    void fitWritesAProblemThatCanBePlanned() throws IOException {
        Path points = Files.writeString(
                directory.resolve("points.csv"), "# measured\njob,n,seconds\nsort,2,500\nsort,4,260\nsort,8,140\n");
        Path problem = directory.resolve("fitted.json");
        Call fit = call("fit", "--points", points, "--plots", directory.resolve("plots"), "-o", problem);
        assertThat(fit.code()).as(fit.err()).isZero();
        assertThat(fit.out()).contains("90 % between", "careful: plans use n = 1 to 20");
        assertThat(directory.resolve("plots").resolve("sort.svg")).content().contains("F(n) =");
        assertThat(call("plan", problem).out())
                .contains(
                        "proven optimal by models that do not know 4 things", "- alpha = 1.3 is assumed, not measured")
                .contains("is a guess; --machines", "- sort: plans use n = 1 to 20, but the runs cover only 2 to 8");
        assertThat(call("explain", problem).out())
                .contains("this one is proven optimal by models that do not know 4 things", "- r = 2 is assumed");
        Files.writeString(points, "sort,0,5\n");
        assertThat(call("fit", "--points", points).err()).contains("line 1: must be job,n,seconds");
    }
}
