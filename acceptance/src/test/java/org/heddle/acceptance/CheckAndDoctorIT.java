// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code heddle check} and {@code heddle doctor} on what is right, and on what is broken in one place each. */
@Order(25)
@ExtendWith({SharedCluster.Extension.class, KeepLogs.class})
class CheckAndDoctorIT {
    private static final String OPEN = "<heddle-scheduler version=\"1\">";

    @Test
    void aGoodFileAndAGoodInstallationHaveNoProblem(SharedCluster shared) throws Exception {
        Path work = Files.createDirectories(shared.work().resolve("good"));
        Files.createSymbolicLink(
                work.resolve("bin"), shared.distribution().directory().resolve("bin"));
        Files.writeString(work.resolve("fair-scheduler.xml"), SharedCluster.FAIR_FILE);
        Path etc = copyOfSite(shared);
        Files.delete(etc.resolve("heddle-scheduler.xml")); // beside it the other file would not count
        // The command can only know the user's own share order if it has its jar.
        Path known = shared.distribution().directory().resolve("lib/scheduler/latest-order.jar");
        Files.copy(shared.orderJar(), known);
        for (String line : Documented.commandsOf("CheckAndDoctorIT")) {
            CommandResult ran = shared.cluster()
                    .command("bash", "-c", line.replace("$HADOOP_HOME/etc/hadoop", etc.toString()))
                    .in(work)
                    .run();
            assertThat(ran.exit()).as(ran.toString()).isZero();
            assertThat(ran.out()).as(ran.toString()).contains("no");
            assertThat(ran.text()).doesNotContain("\tat ");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    heddle-scheduler.xml | <queue name="root"><weight>-1</weight></queue></heddle-scheduler> | -1
                    heddle-scheduler.xml | <queue name="root"><wieght>1</wieght></queue></heddle-scheduler>  | wieght
                    heddle-scheduler.xml | <queue name="root">                                              | heddle-scheduler.xml
                    """)
    void aBrokenFileIsNamedWithWhatIsWrong(String name, String rest, String named, SharedCluster shared)
            throws Exception {
        Path work = SourceTree.newDirectory("broken");
        Path file = Files.writeString(work.resolve(name), OPEN + rest);
        CommandResult ran = heddle(shared, "check", file).run();
        assertThat(ran.exit()).as(ran.toString()).isEqualTo(1);
        assertThat(ran.text()).contains(named).contains(name).doesNotContain("\tat ");
    }

    @Test
    void aMistypedClassIsFound(SharedCluster shared) throws Exception {
        Path conf = copyOfSite(shared);
        Path site = conf.resolve("yarn-site.xml");
        Files.writeString(site, Files.readString(site).replace(SharedCluster.HEDDLE, "org.heddle.DrfSheduler"));
        assertThat(problem(shared, conf, shared.home().path())).contains("org.heddle.DrfSheduler");
    }

    @Test
    void aJarThatIsNotThereIsFound(SharedCluster shared) throws Exception {
        HadoopHome without = HadoopHome.assemble(HadoopHome.Line.HADOOP_3_5);
        assertThat(problem(shared, copyOfSite(shared), without.path()))
                .contains("no heddle-drf-scheduler-*.jar", "heddle install");
    }

    @Test
    void aBrokenFileOfQueuesIsFound(SharedCluster shared) throws Exception {
        Path conf = copyOfSite(shared);
        Files.writeString(conf.resolve("heddle-scheduler.xml"), OPEN + "<queues/></heddle-scheduler>");
        assertThat(problem(shared, conf, shared.home().path()))
                .contains("queues")
                .contains("heddle-scheduler.xml");
    }

    private static Path copyOfSite(SharedCluster shared) throws IOException {
        Path conf = SourceTree.newDirectory("conf");
        try (Stream<Path> files = Files.list(shared.cluster().site())) {
            for (Path file : files.toList()) {
                Files.copy(file, conf.resolve(file.getFileName()));
            }
        }
        return conf;
    }

    private static String problem(SharedCluster shared, Path conf, Path home) throws IOException {
        CommandResult ran = heddle(shared, "doctor", "--conf-dir", conf, "--hadoop-home", home)
                .run();
        assertThat(ran.exit()).as(ran.toString()).isEqualTo(1);
        assertThat(ran.text()).as(ran.toString()).doesNotContain("\tat ").doesNotContain("Exception in");
        return ran.out();
    }

    private static Command heddle(SharedCluster shared, Object... words) {
        return shared.cluster().command(shared.distribution().command("heddle")).and(words);
    }
}
