// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.heddle.late.policy.Reason;
import org.heddle.late.replay.ReplayCommand;
import org.heddle.late.sim.Decisions;
import org.heddle.late.sim.Mode;
import org.heddle.late.sim.Scenarios;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplanationTest {
    @TempDir
    Path dir;

    /** As {@code yarn logs} prints the file: other text around the lines. */
    @Test
    void backupsAndSlowTasksAreExplained() throws IOException {
        String text = explained(
                "Container: container_1_0001_01_000001 on node1",
                "{\"format\":\"heddle-late-decisions\",\"version\":1,\"job\":\"job_1_0001\",\"profile\":\"heddle\","
                        + "\"dryRun\":false}",
                line(1_000, "m_1", "HOLD", "TOO_YOUNG", "50000", 60_000),
                line(31_500, "m_1", "LAUNCH", "LONGEST_TIME_TO_END", "120000", 60_000),
                line(32_000, "m_2", "HOLD", "NO_ROOM", "null", 60_000),
                line(33_000, "m_3", "HOLD", "NO_BENEFIT", "1000", 60_000),
                "End of LogType:late.jsonl");
        assertThat(text)
                .startsWith("job_1_0001, profile heddle: 1 tasks had backups, 1 slow ones had none.")
                .contains("30.5 s  n1, 120.0 s to go, 60.0 s afresh: a backup starts, because")
                .contains("31.0 s  n1, for ever to go, 60.0 s afresh: no free slot is known")
                .doesNotContain("m_3");
    }

    private static String line(long at, String task, String action, String reason, String left, long fresh) {
        return "{\"t\":" + at + ",\"task\":\"" + task + "\",\"attempt\":\"" + task
                + "_0\",\"node\":\"n1\",\"action\":\""
                + action + "\",\"reason\":\"" + reason + "\",\"score\":0.5,\"remainingMs\":" + left + ",\"freshMs\":"
                + fresh + "}";
    }

    private static String explained(String... lines) throws IOException {
        StringWriter out = new StringWriter();
        Explanation.of(new BufferedReader(new StringReader(String.join("\n", lines))))
                .print(new PrintWriter(out, true));
        return out.toString();
    }

    @Test
    void theCommandReadsTheFileThatTheSpeculatorWrites() throws IOException {
        List<String> lines = Decisions.of(Scenarios.stalls(1), Mode.HEDDLE, 1, dir);
        assertThat(lines).isNotEmpty();
        String text = ReplayCommand.run("explain", dir.resolve("late.jsonl").toString());
        assertThat(text).startsWith("job_1000000_0001").contains("Backups").endsWith("exit 0");
    }

    @Test
    void aFileWithoutDecisionsIsNamed() throws IOException {
        Path other = Files.writeString(dir.resolve("other.txt"), "{\"t\":\"x\"}\nhello\n");
        assertThat(ReplayCommand.run("explain", other.toString()))
                .contains(other + " holds no decisions of LATE")
                .endsWith("exit 1");
        assertThat(ReplayCommand.run("explain", dir.resolve("none").toString()))
                .contains("none does not exist")
                .endsWith("exit 2");
    }

    @Test
    void everyReasonHasWords() {
        assertThat(Reason.values()).allMatch(Reasons::known);
    }
}
