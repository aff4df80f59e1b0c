// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.mr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.late.sim.Decisions;
import org.heddle.late.sim.Mode;
import org.heddle.late.sim.Scenarios;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nothing of Heddle reads {@code late.jsonl}, but people's scripts do: what they know of release 0.1.0 is still there within
 * version 1 of the format.
 */
class ReleasedFormatsTest {
    private static final String RELEASED = "late-0.1.0.jsonl";
    private static final Pattern FIELD = Pattern.compile("[{,]\"([A-Za-z]+)\":");

    @TempDir
    Path directory;

    @Test
    void decisions() throws IOException {
        List<String> today = Decisions.of(Scenarios.stalls(1), Mode.HEDDLE, 1, directory);
        List<String> released = released();
        assertThat(today.get(0)).as("format, version, job and profile").isEqualTo(released.get(0));
        for (String line : released.subList(1, released.size())) {
            assertThat(today.subList(1, today.size()))
                    .as("a line with the fields of " + line)
                    .anyMatch(one ->
                            fields(one).containsAll(fields(line)) && reason(one).equals(reason(line)));
        }
    }

    private static List<String> fields(String line) {
        List<String> names = new ArrayList<>();
        Matcher matcher = FIELD.matcher(line);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }

    /** The action and the reason. */
    private static String reason(String line) {
        return line.replaceAll(".*(\"action\":\"[A-Z_]+\",\"reason\":\"[A-Z_]+\").*", "$1");
    }

    private static List<String> released() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(ReleasedFormatsTest.class.getResourceAsStream(RELEASED), RELEASED)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }
}
