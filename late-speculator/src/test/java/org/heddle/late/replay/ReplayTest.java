// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.jobhistory.HistoryFile;
import org.heddle.late.policy.Settings;
import org.heddle.late.policy.TaskKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayTest {
    @TempDir
    Path dir;

    /** 20 maps on 5 nodes of two containers; those on "bad" take five times as long. */
    private static JobTrace job() {
        List<Span> spans = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            boolean bad = i % 10 > 7;
            String node = bad ? "bad" : "good" + i % 10 / 2;
            long start = bad || i < 10 ? 1_000_000 : 1_061_000;
            long end = start + (bad ? 300_000 : 60_000);
            if (i >= 18) {
                continue;
            }
            spans.add(new Span("task_m_" + i, TaskKind.MAP, node, new Span.Times(start, 0, 0, end), true, false));
        }
        return new JobTrace("job_1_0001", spans);
    }

    @Test
    void backupsShortenAJobWithASlowNode() {
        JobTrace recorded = job();
        JobTrace replayed = Replay.of(recorded, Settings.heddle()).trace();
        assertThat(recorded.end() - recorded.begin()).isEqualTo(300_000);
        assertThat(replayed.end() - replayed.begin()).isLessThan(200_000);
        assertThat(replayed.backupsWon()).isEqualTo(2);
    }

    @Test
    void anEvenJobStaysAsItWas() {
        List<Span> spans = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            spans.add(new Span("m" + i, TaskKind.MAP, "n" + i % 4, new Span.Times(0, 0, 0, 60_000), true, false));
        }
        JobTrace recorded = new JobTrace("job_1_0002", spans);
        Replay.Result result = Replay.of(recorded, Settings.heddle());
        assertThat(result.launches()).isEmpty();
        assertThat(result.trace().end()).isEqualTo(recorded.end());
    }

    /** The backup that ends the job has a loser whose end the history does not tell. */
    @Test
    void anOriginalThatLosesAtTheEndEndsWithTheJob() throws IOException {
        JobID job = new JobID("1", 1);
        Path file = dir.resolve("job_1_0001.jhist");
        HistoryFile.write(file, Histories.wonBackup(job));
        JobTrace trace = JobTrace.read(file.toString(), new Configuration(false));
        assertThat(trace.backups()).isEqualTo(1);
        assertThat(trace.backupsWon()).isEqualTo(1);
        assertThat(trace.wastedMillis()).isEqualTo(79_000);
        assertThat(trace.spans()).extracting(s -> s.node).containsExactly("slow", "fast");
    }

    @Test
    void aRestartOfTheApplicationMasterIsReported() throws IOException {
        Path file = dir.resolve("job_1_0002.jhist");
        HistoryFile.write(file, Histories.restarted(new JobID("1", 2)));
        assertThat(ReplayCommand.run("replay", file.toString())).contains("was started again while the job ran");
        HistoryFile.write(file, Histories.onlyReduce(new JobID("1", 2)));
        assertThat(ReplayCommand.run("replay", file.toString())).doesNotContain("started again");
    }

    /** Stage 0 is even; in stage 1 one host is five times slower, and Spark's backup came late. */
    @Test
    void anEventLogOfSparkIsReplayedByStages() throws IOException {
        List<String> events =
                new ArrayList<>(List.of("{\"Event\":\"SparkListenerLogStart\",\"Spark Version\":\"3.5.5\"}"));
        for (int i = 0; i < 8; i++) {
            events.add(taskEnd(0, i, "host" + i % 4, 0, 40, false, false));
            events.add(taskEnd(1, i, "host" + i % 4, 50, i == 7 ? 230 : 90, i == 7, false));
        }
        events.add(taskEnd(1, 7, "host0", 190, 230, false, true));
        Path log = Files.write(dir.resolve("application_1_0001"), events);
        assertThat(ReplayCommand.run("replay", log.toString()))
                .contains("stage 1", "as recorded        180.0        1     1")
                .contains("backup of stage 1 task 7 on host3: ")
                .contains("2 stages, of which 1 have no backups. Sum of their times: 220.0 s as recorded, ")
                .endsWith("exit 0");
        Files.write(log, List.of(events.get(0), "{\"Event\":\"SparkListenerTaskEnd\",\"Stage"));
        assertThat(ReplayCommand.run("replay", log.toString()))
                .contains("is cut or broken: a line in it is no JSON; give the whole event log")
                .endsWith("exit 1");
    }

    private static String taskEnd(
            int stage, int index, String host, int start, int end, boolean killed, boolean speculative) {
        return String.format(
                "{\"Event\":\"SparkListenerTaskEnd\",\"Stage ID\":%d,\"Task Info\":{\"Index\":%d,\"Host\":\"%s\","
                        + "\"Launch Time\":%d,\"Finish Time\":%d,\"Failed\":false,\"Killed\":%s,\"Speculative\":%s}}",
                stage,
                index,
                host,
                1_700_000_000_000L + 1_000L * start,
                1_700_000_000_000L + 1_000L * end,
                killed,
                speculative);
    }

    @Test
    void aReplayedNodeNeverRunsMoreAttemptsThanTheRecordedOne() {
        List<Span> spans = Replay.of(job(), Settings.heddle()).trace().spans();
        for (Span span : spans) {
            assertThat(spans)
                    .filteredOn(s -> s.node.equals(span.node) && s.start <= span.start && span.start < s.end)
                    .as("beside %s on %s", span.task, span.node)
                    .hasSizeLessThanOrEqualTo(2);
        }
    }

    @Test
    void aBadInputGetsOneSentence() throws IOException {
        Path text = Files.writeString(dir.resolve("notes.jhist"), "hello");
        assertThat(ReplayCommand.run("replay", text.toString()))
                .contains("notes.jhist is not a job history file")
                .endsWith("exit 1");
        assertThat(ReplayCommand.run("replay", dir.resolve("none.jhist").toString()))
                .contains("none.jhist")
                .endsWith("exit 1");
        assertThat(ReplayCommand.run("replay", text.toString(), "--profile", "speedy"))
                .contains("mapreduce.heddle.late.profile = 'speedy': must be one of paper, heddle (default heddle)")
                .endsWith("exit 2");
        assertThat(ReplayCommand.run("replay", text.toString(), "--sideways", "1"))
                .contains("unknown option --sideways")
                .endsWith("exit 2");
        assertThat(ReplayCommand.run(
                        "timeline", "--picture", dir.resolve("t.png").toString(), text.toString()))
                .contains("notes.jhist is not a job history file")
                .endsWith("exit 1");
        assertThat(ReplayCommand.run())
                .contains("heddle late: name a command: explain, replay, timeline; see heddle late --help")
                .endsWith("exit 2");
    }
}
