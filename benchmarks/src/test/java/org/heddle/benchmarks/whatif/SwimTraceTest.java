// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Scale;
import org.heddle.whatif.model.Job;
import org.heddle.whatif.model.TaskGroup;
import org.heddle.whatif.model.TaskKind;
import org.heddle.whatif.outcome.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SwimTraceTest {
    private static final String LINES = """
        job0	49	49	740773	2339561	627471
        job1	101	52	1000000000	0	432269
        """;

    @TempDir
    Path directory;

    private SwimTrace trace(String lines, int jobs) throws IOException {
        return SwimTrace.read(Files.writeString(directory.resolve("trace.tsv"), lines), jobs);
    }

    @Test
    void bytesBecomeTasks() throws IOException {
        List<Job> jobs = trace(LINES, 1_500).history(7, 2).jobs();
        assertThat(jobs).extracting(Job::id).containsExactly("job0", "job1");
        assertThat(jobs.get(1).submittedMillis() - jobs.get(0).submittedMillis())
                .as("twice as fast")
                .isEqualTo(26_000);
        assertThat(jobs.get(0).groups()).extracting(TaskGroup::kind).containsExactly(TaskKind.MAP, TaskKind.REDUCE);
        assertThat(jobs.get(1).groups())
                .as("nothing is shuffled")
                .extracting(TaskGroup::kind)
                .containsExactly(TaskKind.MAP);
        assertThat(LongStream.of(jobs.get(1).groups().get(0).millis()))
                .hasSize(8)
                .allMatch(millis -> millis >= 3_000);
    }

    @Test
    void theSameSeedDrawsTheSame() throws IOException {
        SwimTrace trace = trace(LINES, 2);
        assertThat(trace(LINES, 1).lines()).hasSize(1);
        assertThat(trace.history(7, 1).jobs().get(1).groups().get(0).millis())
                .isEqualTo(trace.history(7, 1).jobs().get(1).groups().get(0).millis())
                .isNotEqualTo(trace.history(8, 1).jobs().get(1).groups().get(0).millis());
    }

    @Test
    void aWrongLineIsNamed() {
        assertThatThrownBy(() -> trace(LINES + "job2	soon	1	2	3	4\n", 1_500))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("trace.tsv, line 3: a job of SWIM has 6 fields")
                .hasMessageContaining("soon");
        assertThatThrownBy(() -> trace("", 1)).hasMessageContaining("has no jobs");
    }

    @Test
    void theExperimentSaysWhereTheTraceIs() {
        Run run = new Run(Scale.FULL, List.of(1L), directory, directory, ignored -> {});
        assertThatThrownBy(() -> new PublicTracesExperiment().run(run))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("SWIMProjectUCB/SWIM")
                .hasMessageContaining("-Dheddle.trace=FILE");
    }

    @Test
    void aReplayHasAllFigures() throws IOException {
        String name = PublicTracesExperiment.names().get(0);
        Outcome outcome = PublicTracesExperiment.replay(name, trace(LINES, 2).history(7, 1), 2, directory);
        Row row = PublicTracesExperiment.row(name, trace(LINES, 2).history(7, 1), outcome);
        assertThat(row.median("jobs ended")).isEqualTo(2);
        assertThat(row.median("slowdown, 1 or 2 tasks")).isBetween(1.0, 3.0);
        assertThat(row.median("slowdown, more")).as("there is none").isNaN();
    }
}
