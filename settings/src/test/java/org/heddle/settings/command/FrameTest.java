// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

class FrameTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Command(name = "loom", description = "Weaves.", subcommands = Weave.class)
    static final class Loom {}

    @Command(name = "weave", description = "Weaves one cloth.")
    @SuppressWarnings("UnusedVariable") // only its options count
    static final class Weave implements Callable<Integer> {
        static Supplier<Exception> failure = () -> new IOException("x");

        @Option(names = "--threads", description = "How many.")
        private int threads;

        @Parameters(paramLabel = "FILE", description = "The pattern.")
        private String file = "";

        @Override
        public Integer call() throws Exception {
            throw failure.get();
        }
    }

    private int run(String... arguments) {
        CommandLine line = Frame.of("heddle loom", new Loom());
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                    | name a command: weave; see heddle loom --help",
                "waeve                 | unknown command waeve (did you mean weave?); see heddle loom --help",
                "xyz                   | unknown command xyz; see heddle loom --help",
                "weave                 | missing required parameter: 'FILE'; see heddle loom weave --help",
                "weave f --thread 1    | unknown option --thread (did you mean --threads?); see heddle loom weave"
                        + " --help",
                "weave f g             | one argument too many is g; see heddle loom weave --help",
                "weave f --threads two | invalid value for option '--threads': 'two': must be a whole number;"
                        + " see heddle loom weave --help",
                "weave f --threads 99999999999 | invalid value for option '--threads': '99999999999': must be a whole"
                        + " number, is too large; see heddle loom weave --help",
            })
    void aWrongCommandLineGetsOneSentence(String words, String sentence) {
        assertThat(run(words.isEmpty() ? new String[0] : words.split(" "))).isEqualTo(2);
        assertThat(err.toString().strip()).isEqualTo("heddle loom: " + sentence);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void allCommandsHaveHelpAndVersion() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).startsWith("Usage: heddle loom ");
        out.getBuffer().setLength(0);
        assertThat(run("weave", "--version")).isZero();
        assertThat(out.toString().strip()).isEqualTo("heddle loom (not packaged)");
    }

    private void fails(Exception failure, int code, String sentence) {
        Weave.failure = () -> failure;
        err.getBuffer().setLength(0);
        assertThat(run("weave", "f")).isEqualTo(code);
        assertThat(err.toString().strip()).isEqualTo(sentence);
    }

    @Test
    void aFailureIsASentenceToo() {
        fails(new IOException("the loom is broken"), 1, "heddle loom: the loom is broken");
        fails(new NoSuchFileException("/a"), 2, "heddle loom: /a does not exist");
        fails(
                new IllegalArgumentException("one\ntwo"),
                2,
                "heddle loom: one" + System.lineSeparator() + "heddle loom: two");
        fails(new CommandException(75, "later"), 75, "heddle loom: later");
        Weave.failure = NullPointerException::new;
        assertThat(run("weave", "f")).isEqualTo(1);
        assertThat(err.toString())
                .contains("heddle loom: this is a defect of Heddle, NullPointerException at FrameTest.java:")
                .doesNotContain("\tat ");
    }
}
