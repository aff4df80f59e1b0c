// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The shipped commands without any cluster: the READMEs' examples, and mistakes. */
@Order(2)
@Execution(ExecutionMode.CONCURRENT)
@Tag("long-2")
class ScriptsIT {
    /** In a directory with a blank in its name, as on many a desktop. */
    @SuppressWarnings("NullAway.Init") // set by unpack
    private static Distribution distribution;

    @SuppressWarnings("NullAway.Init")
    private static HadoopHome home;

    @BeforeAll
    static void unpack() throws Exception {
        distribution = Distribution.unpack(SourceTree.newDirectory("scripts").resolve("first contact"));
        home = HadoopHome.assemble(HadoopHome.Line.HADOOP_3_5);
    }

    @Test
    void theExamplesOfTheReadmesRun() throws Exception {
        Path place = Files.createDirectories(SourceTree.newDirectory("examples"));
        for (String name : List.of("bin", "conf-samples")) {
            Files.createSymbolicLink(
                    place.resolve(name), distribution.directory().resolve(name));
        }
        Files.writeString(place.resolve("fair-scheduler.xml"), SharedCluster.FAIR_FILE);
        Files.copy(
                distribution.directory().resolve("conf-samples/drf/heddle-scheduler.xml"),
                place.resolve("heddle-scheduler.xml"));
        for (String line : Documented.commandsOf("ScriptsIT")) {
            CommandResult ran = Command.shell(line)
                    .in(place)
                    .with("PATH", place.resolve("bin") + ":" + System.getenv("PATH"))
                    .with("SECRET", "correct horse battery")
                    .run();
            assertThat(ran.exit()).as(ran.toString()).isZero();
            assertThat(ran.err()).as(ran.toString()).doesNotContain("\tat ").doesNotContain("Exception");
        }
        assertThat(place.resolve("plan.svg")).isNotEmptyFile();
        assertThat(place.resolve("plan.html")).isNotEmptyFile();
        assertThat(Files.readString(place.resolve("principals"))).startsWith("heddle-credentials 1\nanalytics");
    }

    /** Without arguments, with unknown ones and without what they need, they end with a sentence. */
    @Test
    void mistakesAreAnsweredInASentence() throws Exception {
        for (String wrong : List.of(
                "heddle frobnicate",
                "heddle convert missing.xml",
                "heddle late replay missing.jhist",
                "heddle pack plan missing.json",
                "heddle bridge --conf missing.xml",
                "heddle market --url http://127.0.0.1:1 info",
                "heddle why --rm http://127.0.0.1:1 application_1700000000000_0042",
                "heddle report usage --month May --rm http://127.0.0.1:1",
                "heddle install --hadoop-home missing",
                "heddle uninstall --hadoop-home missing")) {
            CommandResult ran = Command.shell("bin/" + wrong)
                    .in(distribution.directory())
                    .with("HADOOP_HOME", home.path())
                    .run();
            assertThat(ran.exit()).as(ran.toString()).isNotZero();
            assertThat(ran.err())
                    .as(ran.toString())
                    .isNotBlank()
                    .doesNotContain("\tat ")
                    .doesNotContain("Exception in thread");
        }
    }
}
