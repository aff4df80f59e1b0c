// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The shipped commands without any cluster: help, version, the READMEs' examples, and where they are started from. */
@Order(2)
@Execution(ExecutionMode.CONCURRENT)
class ScriptsIT {
    private static final List<String> COMMANDS = List.of(
            "heddle",
            "heddle market",
            "heddle late",
            "heddle pack",
            "heddle bridge",
            "heddle install",
            "heddle uninstall",
            "heddle check",
            "heddle doctor",
            "heddle convert",
            "heddle why",
            "heddle report usage");

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

    static Stream<String> commands() {
        return COMMANDS.stream();
    }

    /** What is in bin/. */
    static Stream<String> scripts() {
        return COMMANDS.stream().filter(command -> !command.contains(" "));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void helpNamesTheCommandAndWhatItDoes(String command) throws Exception {
        CommandResult help =
                shipped(distribution.directory(), command, "--help").run().orFail();
        assertThat(help.err()).isEmpty();
        assertThat(help.out()).startsWith("Usage: " + command + " ");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void versionIsThatOfTheArchive(String command) throws Exception {
        CommandResult version =
                shipped(distribution.directory(), command, "--version").run().orFail();
        assertThat(version.err()).isEmpty();
        assertThat(version.out()).contains(System.getProperty("heddle.version"));
    }

    /** By a link to a link, from another directory, through the PATH. */
    @ParameterizedTest
    @MethodSource("scripts")
    void linksAreFollowedFromAnywhere(String command) throws Exception {
        Path elsewhere = SourceTree.newDirectory("else where");
        String script = command.split(" ", 2)[0];
        Path first = Files.createSymbolicLink(elsewhere.resolve("one"), distribution.command(script));
        Path bin = Files.createDirectories(elsewhere.resolve("bin"));
        Files.createSymbolicLink(bin.resolve(script), Path.of("..").resolve(first.getFileName()));
        CommandResult version = Command.shell(command + " --version")
                .in(elsewhere)
                .with("PATH", bin + ":" + System.getenv("PATH"))
                .run()
                .orFail();
        assertThat(version.out()).contains(System.getProperty("heddle.version"));
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void theBuiltTreeHasThemToo(String command) throws Exception {
        assertThat(shipped(SourceTree.root(), command, "--version")
                        .run()
                        .orFail()
                        .out())
                .contains(System.getProperty("heddle.version"));
    }

    @Test
    @Tag("long-2")
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
    @Tag("long-2")
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

    private static Command shipped(Path tree, String command, String argument) {
        String[] words = command.split(" ", -1);
        Command run = Command.of(tree.resolve("bin").resolve(words[0]));
        for (int i = 1; i < words.length; i++) {
            run.and(words[i]);
        }
        return run.and(argument);
    }
}
