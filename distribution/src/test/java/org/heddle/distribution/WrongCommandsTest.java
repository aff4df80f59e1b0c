// SPDX-License-Identifier: Apache-2.0
package org.heddle.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * Every command gets wrong command lines: options that it does not know, that are misspelt, without their value or with
 * one of another kind, and arguments too many. It says what is wrong in one sentence and ends with 2.
 */
class WrongCommandsTest {
    /** What is for developers, not for users. */
    static final Pattern INTERNAL =
            Pattern.compile("Exception|\\bjava\\.|\\bat org\\.|\\{\"version\"|<html|\\bclass |\\bint\\b|\\bnull\\b");

    static Stream<List<String>> commands() throws ClassNotFoundException {
        List<List<String>> all = new ArrayList<>();
        add(Commands.all(), List.of(), all);
        return all.stream();
    }

    private static void add(CommandLine command, List<String> path, List<List<String>> all) {
        command.getSubcommands().forEach((name, inner) -> {
            List<String> inside = Stream.concat(path.stream(), Stream.of(name)).toList();
            all.add(inside);
            add(inner, inside, all);
        });
    }

    /** Command lines that the command refuses before it does anything. */
    private static List<String[]> wrongLines(List<String> path, CommandLine all) {
        CommandLine command = all;
        for (String name : path) {
            command = Objects.requireNonNull(command.getSubcommands().get(name), name);
        }
        List<List<String>> ends = new ArrayList<>();
        ends.add(List.of("--no-such-option"));
        ends.add(List.of("--no-such-option=1"));
        ends.add(List.of("much", "too", "many", "words"));
        ends.add(List.of());
        for (OptionSpec option : command.getCommandSpec().options()) {
            String name = option.longestName();
            ends.add(List.of(name + "x"));
            ends.add(List.of(name));
            for (String value : List.of("", "zzz", "-1", "99999999999999999999", "1,5", "\u00e9")) {
                ends.add(List.of(name + "=" + value));
            }
        }
        List<String[]> wrong = new ArrayList<>();
        for (List<String> end : ends) {
            String[] line = Stream.concat(path.stream(), end.stream()).toArray(String[]::new);
            try {
                all.parseArgs(line);
            } catch (ParameterException e) {
                wrong.add(line);
            }
        }
        return wrong;
    }

    @ParameterizedTest
    @MethodSource("commands")
    void saysWhatIsWrongInOneSentence(List<String> path) throws ClassNotFoundException {
        CommandLine all = Commands.all();
        List<String[]> wrong = wrongLines(path, all);
        assertThat(wrong).as("%s refuses nothing", path).isNotEmpty();
        for (String[] line : wrong) {
            StringWriter out = new StringWriter();
            StringWriter err = new StringWriter();
            int code = all.setOut(new PrintWriter(out))
                    .setErr(new PrintWriter(err))
                    .execute(line);
            String told = Arrays.toString(line) + " -> " + err;
            assertThat(code).as(told).isEqualTo(2);
            assertThat(out.toString()).as(told).isEmpty();
            assertThat(err.toString()).as(told).hasLineCount(1).startsWith("heddle " + path.get(0));
            assertThat(INTERNAL.matcher(err.toString()).find()).as(told).isFalse();
        }
    }

    @Test
    void theseAreMany() throws ClassNotFoundException {
        CommandLine all = Commands.all();
        assertThat(commands().mapToInt(path -> wrongLines(path, all).size()).sum())
                .isGreaterThan(300);
    }
}
