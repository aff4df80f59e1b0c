// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.heddle.testkit.attack.ForeignXml;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** An administrator fits a model to the histories of others, whose configurations are what those others wrote. */
class ForeignJobsTest {
    private static final String HISTORY =
            "job_1329348432655_0001-1329348443227-user-Sleep+job-1329348468601-10-1-SUCCEEDED-default.jhist";
    private static final String OTHER_HISTORY =
            "job_1416424547277_0002-1416424775281-root-TeraGen-1416424785433-2-0-SUCCEEDED-default-1416424779349.jhist";
    private static final String CONF = "job_1329348432655_0001_conf.xml";

    @TempDir
    private Path histories;

    @TempDir
    private Path mine;

    private ForeignXml foreign;

    @BeforeEach
    void copy() throws IOException {
        foreign = new ForeignXml(mine, MRJobConfig.JOB_RUNNING_MAP_LIMIT);
        for (String name : new String[] {HISTORY, OTHER_HISTORY}) {
            try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("/" + name), name)) {
                Files.copy(in, histories.resolve(name));
            }
        }
    }

    @AfterEach
    void close() {
        foreign.close();
    }

    /** All that {@code heddle pack fit} printed. */
    private String fit() {
        StringWriter out = new StringWriter();
        CommandLine line = HeddlePack.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(out));
        assertThat(line.execute("fit", histories.toString())).as(out.toString()).isZero();
        return out.toString();
    }

    @Test
    void aConfigurationThatNamesAnotherFileIsLeftOut() throws IOException {
        for (Map.Entry<String, String> hostile : foreign.using().entrySet()) {
            Files.writeString(histories.resolve(CONF), hostile.getValue());
            assertThat(fit())
                    .as(hostile.getKey())
                    .contains(CONF + ": not a job's configuration: ", "; left out", "TeraGen")
                    .doesNotContain(ForeignXml.SECRET, "Sleep job");
            assertThat(foreign.requests()).as(hostile.getKey()).isZero();
        }
    }

    @Test
    void aDocumentTypeIsNotFetched() throws IOException {
        for (Map.Entry<String, String> hostile : foreign.declaring().entrySet()) {
            Files.writeString(histories.resolve(CONF), hostile.getValue());
            assertThat(fit())
                    .as(hostile.getKey())
                    .contains("Sleep job", "TeraGen")
                    .doesNotContain(ForeignXml.SECRET);
            assertThat(foreign.requests()).as(hostile.getKey()).isZero();
        }
    }

    @Test
    void aWrongNumberIsNamedAndTheReadersEnvironmentIsIgnored() throws IOException {
        for (String variable : new String[] {
            "${user.home}", "1\u009b31m\n2", "${env.PATH}", "${" + MRJobConfig.JOB_RUNNING_MAP_LIMIT + "}"
        }) {
            Files.writeString(
                    histories.resolve(CONF),
                    "<configuration><property><name>" + MRJobConfig.JOB_RUNNING_MAP_LIMIT + "</name><value>" + variable
                            + "</value></property></configuration>");
            assertThat(fit())
                    .as(variable)
                    .contains(CONF + " has a value that no job can have: ", "; left out", "TeraGen")
                    .doesNotContain("\u009b", System.getProperty("user.home"), System.getenv("PATH"));
        }
    }
}
