// SPDX-License-Identifier: Apache-2.0
package org.heddle.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** install and uninstall on a directory that looks like a Hadoop: everything else in it stays as it was. */
class InstallTest {
    private static final List<String> ARTIFACTS =
            List.of("drf-scheduler", "dynamic-priority-scheduler", "late-speculator");
    private static final String DRF = "share/hadoop/yarn/lib/heddle-drf-scheduler-1.0.jar";
    private static final String MARKET = "share/hadoop/yarn/lib/heddle-dynamic-priority-scheduler-1.0.jar";
    private static final String LATE = "share/hadoop/mapreduce/heddle-late-speculator-1.0.jar";

    @TempDir
    private Path directory;

    private Path home = Path.of("");

    private record Call(int code, String out, String err) {}

    @BeforeEach
    void aHadoop() throws IOException {
        home = directory.resolve("a hadoop");
        for (String folder : List.of("share/hadoop/yarn/lib", "share/hadoop/mapreduce/lib", "etc/hadoop", "bin")) {
            Files.createDirectories(home.resolve(folder));
        }
        Files.writeString(home.resolve("share/hadoop/yarn/hadoop-yarn-api-3.5.0.jar"), "theirs");
        Files.writeString(home.resolve("etc/hadoop/yarn-site.xml"), "<configuration/>");
        release("1.0");
    }

    @AfterEach
    void forget() {
        ARTIFACTS.forEach(artifact -> System.clearProperty("heddle.plugin." + artifact));
    }

    /** Jars of a version, as the launcher names them. */
    private void release(String version) throws IOException {
        for (String artifact : ARTIFACTS) {
            Path jar = directory.resolve("heddle-" + artifact + "-" + version + ".jar");
            Files.writeString(jar, artifact + " " + version);
            System.setProperty("heddle.plugin." + artifact, jar.toString());
        }
    }

    private Call call(String command, String... arguments) {
        return callOn(home, command, arguments);
    }

    private static Call callOn(Path home, String command, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        String[] all = Stream.concat(Stream.of(command, "--hadoop-home", home.toString()), Stream.of(arguments))
                .toArray(String[]::new);
        int code = line.execute(all);
        return new Call(code, out.toString(), err.toString());
    }

    /** Everything below the home: contents of files, nothing for directories. */
    private Map<String, String> state() throws IOException {
        Map<String, String> state = new TreeMap<>();
        try (Stream<Path> all = Files.walk(home)) {
            all.forEach(path -> {
                try {
                    String name = home.relativize(path).toString().replace('\\', '/');
                    state.put(name, Files.isDirectory(path) ? "" : Files.readString(path));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
        return state;
    }

    @Test
    void copiesTheSchedulerAndTakesItAway() throws IOException {
        Map<String, String> before = state();
        Call installed = call("install");
        assertThat(installed.code()).as(installed.err()).isZero();
        assertThat(installed.err()).isEmpty();
        assertThat(installed.out())
                .contains(
                        "copied   " + home.resolve(DRF),
                        "Install on every ResourceManager.",
                        "In yarn-site.xml set yarn.resourcemanager.scheduler.class to org.heddle.drf.DrfScheduler.",
                        "heddle check FILE",
                        "heddle doctor");
        Map<String, String> after = state();
        assertThat(after).containsAllEntriesOf(before).containsEntry(DRF, "drf-scheduler 1.0");
        assertThat(after.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(before.keySet().stream(), Stream.of(DRF, "share/heddle", InstalledFiles.PLACE))
                                .toList());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve(DRF))))
                .isEqualTo("rw-r--r--");

        Call removed = call("uninstall");
        assertThat(removed.code()).as(removed.err()).isZero();
        assertThat(removed.out()).isEqualTo("removed  " + home.resolve(DRF) + System.lineSeparator());
        assertThat(state()).isEqualTo(before);
        assertThat(call("uninstall"))
                .isEqualTo(new Call(
                        0,
                        "There is nothing to remove: " + home.resolve(InstalledFiles.PLACE) + " does not exist."
                                + System.lineSeparator(),
                        ""));
    }

    @Test
    void eachPluginGoesWhereItsJvmLooks() throws IOException {
        Call installed = call("install", "--plugin", "market", "--plugin", "late");
        assertThat(installed.code()).as(installed.err()).isZero();
        assertThat(state()).containsKeys(DRF, MARKET, LATE);
        assertThat(installed.out())
                .contains(
                        "Install on every NodeManager and every ResourceManager.",
                        "set yarn.resourcemanager.scheduler.class to org.heddle.market.DynamicPriorityScheduler.",
                        "In mapred-site.xml set yarn.app.mapreduce.am.job.speculator.class to"
                                + " org.heddle.late.mr.LateSpeculator.");
    }

    @Test
    void twiceIsAsOnceAndPluginsAddUp() throws IOException {
        call("install");
        Map<String, String> once = state();
        assertThat(call("install").out())
                .contains("is there  " + home.resolve(DRF))
                .doesNotContain("copied");
        assertThat(state()).isEqualTo(once);
        call("install", "--plugin", "late");
        assertThat(state()).containsKeys(DRF, LATE);
    }

    @Test
    void anotherVersionReplacesAllThatWasCopied() throws IOException {
        Map<String, String> before = state();
        call("install", "--plugin", "drf", "--plugin", "late");
        release("1.1");
        Call upgraded = call("install");
        assertThat(upgraded.code()).as(upgraded.err()).isZero();
        assertThat(upgraded.out())
                .contains("removed  " + home.resolve(DRF), "copied   " + home.resolve(DRF.replace("1.0", "1.1")));
        assertThat(state())
                .containsEntry(DRF.replace("1.0", "1.1"), "drf-scheduler 1.1")
                .containsEntry(LATE.replace("1.0", "1.1"), "late-speculator 1.1")
                .doesNotContainKeys(DRF, LATE);
        assertThat(call("uninstall").code()).isZero();
        assertThat(state()).isEqualTo(before);
    }

    @Test
    void theSameVersionBuiltAnewReplacesTheJar() throws IOException {
        call("install");
        Files.writeString(directory.resolve("heddle-drf-scheduler-1.0.jar"), "drf-scheduler 1.0, mended");
        assertThat(call("install").code()).isZero();
        assertThat(state()).containsEntry(DRF, "drf-scheduler 1.0, mended");
        assertThat(call("uninstall").code()).isZero();
    }

    @Test
    void aDryRunChangesNothing() throws IOException {
        Map<String, String> before = state();
        assertThat(call("install", "--dry-run").out()).contains("would be copied   " + home.resolve(DRF));
        assertThat(state()).isEqualTo(before);
        call("install");
        Map<String, String> installed = state();
        assertThat(call("uninstall", "--dry-run").out()).contains("would be removed  " + home.resolve(DRF));
        assertThat(state()).isEqualTo(installed);
    }

    @Test
    void whatOthersChangedOrTookIsNamed() throws IOException {
        call("install", "--plugin", "market");
        Files.writeString(home.resolve(DRF), "patched");
        Files.delete(home.resolve(MARKET));
        assertThat(call("install"))
                .matches(call -> call.code() == 1
                        && call.err()
                                .equals("heddle install: " + home.resolve(DRF)
                                        + " was changed after heddle install copied it; move it away, then install again"
                                        + System.lineSeparator()));
        Call removed = call("uninstall");
        assertThat(removed.code()).isEqualTo(1);
        assertThat(removed.err())
                .contains(home.resolve(MARKET) + " is missing already", home.resolve(DRF) + " was changed");
        assertThat(state()).containsEntry(DRF, "patched").containsKey(InstalledFiles.PLACE);
        Files.delete(home.resolve(DRF));
        assertThat(call("uninstall").code()).isZero();
        assertThat(state()).doesNotContainKeys("share/heddle");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "share/hadoop/yarn/lib/heddle-drf-scheduler-0.9.jar",
                "share/hadoop/yarn/lib/heddle-drf-scheduler-1.0.jar",
                "share/hadoop/mapreduce/lib/heddle-late-speculator-0.9.jar"
            })
    void aJarThatSomebodyCopiedByHandIsRefused(String stranger) throws IOException {
        Files.writeString(home.resolve(stranger), "by hand");
        Map<String, String> before = state();
        Call refused = call("install");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err())
                .contains(home.resolve(stranger) + " is there, and heddle install did not copy it")
                .hasLineCount(1);
        assertThat(state()).isEqualTo(before);
    }

    @Test
    void whatIsNoHadoopIsRefused() throws IOException {
        Path empty = Files.createDirectory(directory.resolve("empty"));
        for (String command : List.of("install", "uninstall")) {
            assertThat(callOn(empty, command).err())
                    .startsWith("heddle " + command + ": " + empty + " is not a Hadoop home: it has no share/hadoop")
                    .hasLineCount(1);
            assertThat(callOn(directory.resolve("none"), command).code()).isEqualTo(1);
        }
        Files.createDirectories(empty.resolve("share/hadoop/yarn"));
        assertThat(callOn(empty, "install").err()).contains("it has no share/hadoop/yarn/lib");
        assertThat(callOn(empty, "install", "--plugin", "nothing").code()).isEqualTo(2);
    }

    /** A directory where a file must go stops the copying half way, for root as well. */
    @Test
    void halfAnInstallationIsUndone() throws IOException {
        call("install", "--plugin", "late");
        release("1.1");
        Path obstacle = home.resolve("share/hadoop/yarn/lib/.heddle-drf-scheduler-1.1.jar.heddle-next");
        Files.createDirectories(obstacle.resolve("in the way"));
        Map<String, String> before = state();
        Call failed = call("install", "--plugin", "drf");
        assertThat(failed.code()).isEqualTo(1);
        assertThat(failed.err())
                .contains("heddle-drf-scheduler-1.1.jar", "nothing was changed")
                .hasLineCount(1);
        assertThat(state()).isEqualTo(before);
    }

    @Test
    void aDamagedListIsRefused() throws IOException {
        call("install");
        Path list = home.resolve(InstalledFiles.PLACE);
        Files.writeString(list, Files.readString(list) + "file " + "0".repeat(64) + " ../../etc/passwd\n");
        for (String command : List.of("install", "uninstall")) {
            Call refused = call(command);
            assertThat(refused.code()).isEqualTo(1);
            assertThat(refused.err())
                    .contains(list + ", line 6: this is not a list")
                    .hasLineCount(1);
        }
    }

    @Test
    void siteFilesThatStillNameOurClassesAreNamed() throws IOException {
        call("install");
        Files.writeString(home.resolve("etc/hadoop/yarn-site.xml"), """
                <configuration>
                  <!-- <property><name>a</name><value>org.heddle.A</value></property> -->
                  <property>
                    <name>yarn.resourcemanager.scheduler.class</name>
                    <value>org.heddle.drf.DrfScheduler</value>
                  </property>
                </configuration>
                """);
        Call removed = call("uninstall");
        assertThat(removed.code()).isZero();
        assertThat(removed.err())
                .isEqualTo("heddle uninstall: warning: " + home.resolve("etc/hadoop/yarn-site.xml")
                        + ": yarn.resourcemanager.scheduler.class = org.heddle.drf.DrfScheduler names a class which will"
                        + " be gone; change it before the next restart" + System.lineSeparator());
    }

    @Test
    void anArchiveOfMapReduceIsPointedOut() throws IOException {
        Files.writeString(
                home.resolve("etc/hadoop/mapred-site.xml"),
                "<configuration><property><name>mapreduce.application.framework.path</name>"
                        + "<value>hdfs:///mr.tar.gz#mr</value></property></configuration>");
        assertThat(call("install", "--plugin", "late").out())
                .contains("mapreduce.application.framework.path is hdfs:///mr.tar.gz#mr");
    }

    @Test
    void anUntestedHadoopIsPointedOut() throws IOException {
        Files.move(
                home.resolve("share/hadoop/yarn/hadoop-yarn-api-3.5.0.jar"),
                home.resolve("share/hadoop/yarn/hadoop-yarn-api-3.3.6.jar"));
        Call installed = call("install");
        assertThat(installed.code()).isZero();
        assertThat(installed.err()).contains("this is Hadoop 3.3; Heddle was tested with Hadoop 3.4 and 3.5 only");
    }
}
