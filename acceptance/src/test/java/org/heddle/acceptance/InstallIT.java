// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Installing copies what it lists, and uninstalling leaves the Hadoop installation as it was. */
@Order(3)
class InstallIT {
    private static final String RECORD = "share/heddle/installed";

    @ParameterizedTest
    @EnumSource(HadoopHome.Line.class)
    void uninstallLeavesNothing(HadoopHome.Line line) throws Exception {
        Distribution distribution = Distribution.unpack();
        HadoopHome home = HadoopHome.assemble(line);
        List<String> before = SourceTree.list(home.path());

        CommandResult installed = distribution.install(home, "drf", "market", "late");

        List<String> added = new ArrayList<>(SourceTree.list(home.path()));
        added.removeAll(before);
        added.removeIf(path -> Files.isDirectory(home.path().resolve(path)));
        assertThat(added).contains(RECORD).hasSize(4);
        String record = Files.readString(home.path().resolve(RECORD));
        added.remove(RECORD); // its help names it
        assertThat(added).allSatisfy(path -> {
            assertThat(path).matches("share/hadoop/(yarn|mapreduce)/(lib/)?heddle-[a-z-]+-[^/]+\\.jar");
            assertThat(installed.out()).contains(path);
            assertThat(record).contains(path);
        });

        distribution.install(home); // once more does no harm
        distribution.uninstall(home);
        assertThat(SourceTree.list(home.path())).isEqualTo(before);
    }

    /** One after the other, as somebody types them, beside the archive. */
    @Test
    void theCommandsOfTheDocumentInstallAndUninstall() throws Exception {
        Path place = SourceTree.newDirectory("downloads");
        Files.createSymbolicLink(place.resolve(Distribution.archive().getFileName()), Distribution.archive());
        HadoopHome home = HadoopHome.assemble(HadoopHome.Line.HADOOP_3_5);
        List<String> before = SourceTree.list(home.path());
        String typed = String.join("\n", Documented.commandsOf("InstallIT"))
                .replace("<version>", System.getProperty("heddle.version"))
                .replace("/opt/hadoop", home.path().toString());
        CommandResult ran = Command.shell("set -e\n" + typed)
                .in(place)
                .with("HADOOP_HOME", home.path())
                .run();
        assertThat(ran.exit()).as(ran.toString()).isZero();
        assertThat(ran.err()).as(ran.toString()).isEmpty();
        assertThat(ran.out()).contains("heddle-drf-scheduler").contains("heddle-late-speculator");
        assertThat(SourceTree.list(home.path())).isEqualTo(before);
    }

    @Test
    void whatIsNoHadoopIsLeftAlone() throws Exception {
        Distribution distribution = Distribution.unpack();
        Path empty = SourceTree.newDirectory("no-hadoop");
        CommandResult refused = Command.of(distribution.command("heddle"), "install", "--hadoop-home", empty)
                .run();
        assertThat(refused.exit()).isNotZero();
        assertThat(refused.err()).contains(empty.toString()).doesNotContain("\tat ");
        assertThat(SourceTree.list(empty)).containsExactly("");
    }
}
