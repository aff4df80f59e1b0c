// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** In processes of this class, because the locale of a process cannot be changed. */
class ProcessStartTest {
    private static final String WORD = "t\u00e2che \u20ac \ud83d\ude00";

    /**
     * Starts {@code printf} with a word that is not ASCII, as an argument or as a variable, and prints what becomes of
     * it.
     */
    public static void main(String[] args) throws Exception {
        try {
            boolean asVariable = args.length > 0;
            List<String> words = List.of("sh", "-c", "printf %s \"$WORD$1\"", "sh", asVariable ? "" : WORD);
            Process process = ProcessStart.ours(words, builder -> {
                if (asVariable) {
                    builder.environment().put("WORD", WORD);
                }
            });
            process.getInputStream().transferTo(System.out);
        } catch (IOException e) {
            System.out.write(("refused: " + e.getMessage()).getBytes(StandardCharsets.UTF_8));
        }
        System.out.flush();
    }

    private static String child(String locale, String... args) throws Exception {
        List<String> command = new java.util.ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                ProcessStartTest.class.getName()));
        command.addAll(List.of(args));
        Process process = ProcessStart.ours(command, builder -> {
            builder.environment().keySet().removeIf(name -> name.matches("LANG|LC_.*"));
            builder.environment().put("LC_ALL", locale);
            builder.redirectErrorStream(true);
        });
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return printed;
    }

    @Test
    void aProgramGetsTheTextByteByByte() throws Exception {
        assertThat(child("C.UTF-8")).isEqualTo(WORD);
        assertThat(child("C.UTF-8", "variable")).isEqualTo(WORD);
    }

    @ParameterizedTest
    @ValueSource(strings = {"POSIX", "C"})
    void withoutALocaleItIsRefused(String locale) throws Exception {
        assertThat(child(locale))
                .startsWith(
                        "refused: the argument '" + WORD + "' has the character U+00E2, which US-ASCII does not have");
        assertThat(child(locale, "variable"))
                .startsWith("refused: the value of the environment variable WORD has the character U+00E2")
                .doesNotContain(WORD);
    }

    @Test
    void halfOfAPairIsRefused() {
        assertThatThrownBy(() -> ProcessStart.ours(List.of("true", "\ud83d"), builder -> {}))
                .hasMessageContaining("half of a pair");
    }

    /** N stands for no value. */
    @ParameterizedTest
    @CsvSource({"C.UTF-8, '', N", "C.UTF-8, de_DE, de_DE", "fr_FR, N, fr_FR", "N, N, N"})
    void programsOfUsersGetTheirLocaleBack(String now, String former, String wanted) {
        Map<String, String> environment = new HashMap<>();
        if (!now.equals("N")) {
            environment.put("LC_ALL", now);
        }
        if (!former.equals("N")) {
            environment.put(ProcessStart.FORMER_LOCALE, former);
        }
        ProcessStart.restoreLocale(environment);
        assertThat(environment).isEqualTo(wanted.equals("N") ? Map.of() : Map.of("LC_ALL", wanted));
    }
}
