// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.heddle.whatif.model.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of other people's clusters do not make a replay open files of this machine. */
class ForeignFilesTest {
    private static final String KEY = "yarn.scheduler.capacity.root.queues";

    @TempDir
    Path directory;

    /** Each takes the queues from another file. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<configuration xmlns:xi=\"http://www.w3.org/2001/XInclude\"><xi:include href=\"SECRET\"/></configuration>",
                "<!DOCTYPE configuration [<!ENTITY other SYSTEM \"file://SECRET\">]><configuration><property>"
                        + "<name>yarn.scheduler.capacity.root.queues</name><value>&other;</value></property></configuration>"
            })
    void aFileThatAsksForAnotherOneIsRefused(String text) throws Exception {
        Path secret = write(
                "secret.xml",
                "<configuration><property><name>" + KEY + "</name><value>secret</value></property></configuration>");
        Path file = write("capacity-scheduler.xml", text.replace("SECRET", secret.toString()));
        ReplayConfiguration replay = new ReplayConfiguration(
                new QueueFiles(List.of(file)), new Configuration(false), List.of(new Size(1_000, 1)), directory);
        assertThatThrownBy(() -> replay.of(SchedulerKind.CAPACITY))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.toString())
                .hasMessageNotContaining("secret</value>");
        assertThatThrownBy(() -> ReplayConfiguration.foreignSite(List.of(file)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("makes its reader open another file");
    }

    @Test
    void theAdministratorsSiteFilesAreReadAsHadoopDoes() throws Exception {
        Path included = write("common.xml", property("${user.home}"));
        Path file = write(
                "yarn-site.xml",
                "<configuration xmlns:xi=\"http://www.w3.org/2001/XInclude\"><xi:include href=\"" + included
                        + "\"/></configuration>");
        assertThat(ReplayConfiguration.site(List.of(file)).get(KEY)).isEqualTo(System.getProperty("user.home"));
    }

    @Test
    void aForeignFileTakesNothingFromTheEnvironment() throws Exception {
        Path file = write("yarn-site.xml", property("${user.home}"));
        assertThat(ReplayConfiguration.foreignSite(List.of(file)).get(KEY)).isNull();
    }

    private static String property(String value) {
        return "<configuration><property><name>" + KEY + "</name><value>" + value
                + "</value></property></configuration>";
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }
}
