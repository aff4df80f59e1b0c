// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentLaunchContextTest {
    /** N stands for no value. The line is quoted as a NodeManager quotes it. */
    @ParameterizedTest
    @CsvSource({
        "N, N, C.UTF-8, ''",
        "POSIX, N, C.UTF-8, ''",
        "N, POSIX, C.UTF-8, POSIX",
        "N, C, C.UTF-8, C",
        "C.UTF-8, N, N, N",
        "C.UTF-8, C, C.UTF-8, C",
        "C, C.UTF-8, C.UTF-8, N",
        "xx_YY, N, C.UTF-8, ''"
    })
    void anAgentHasAUtf8LocaleAndKeepsTheNodesOwn(String lang, String all, String wanted, String kept)
            throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder("bash", "-c", "exec bash -c \"" + AgentLaunchContext.UTF_8_LOCALE + "exec env\"");
        builder.environment().keySet().removeIf(name -> name.matches("LANG|LC_.*"));
        put(builder.environment(), "LANG", lang);
        put(builder.environment(), "LC_ALL", all);
        Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Map<String, String> found = new TreeMap<>();
        printed.lines()
                .filter(line -> line.matches("(LANG|LC_ALL|HEDDLE_LC_ALL)=.*"))
                .forEach(line -> found.put(line.split("=", 2)[0], line.split("=", 2)[1]));
        Map<String, String> expected = new TreeMap<>();
        put(expected, "LANG", lang);
        put(expected, "LC_ALL", wanted);
        put(expected, "HEDDLE_LC_ALL", kept);
        assertThat(found).isEqualTo(expected);
    }

    private static void put(Map<String, String> variables, String name, String value) {
        if (!value.equals("N")) {
            variables.put(name, value);
        }
    }
}
