// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The first example in docs/speculation-library.md, as it stands there. */
class GuideTest {
    @Test
    void theSlowTaskGetsABackup() {
        List<String> launched = new ArrayList<>();
        // guide
        AttemptRegistry registry = new AttemptRegistry();
        LatePolicy policy = new LatePolicy(registry, Settings.heddle());
        registry.total(TaskKind.MAP, 4);
        for (int i = 0; i < 4; i++) {
            registry.started(TaskKind.MAP, "task " + i, "attempt " + i, "node " + i, 0);
        }
        for (int i = 0; i < 3; i++) {
            registry.reported("attempt " + i, 0.5, 30_000);
            registry.ended("attempt " + i, 60_000, true);
        }
        registry.reported("attempt 3", 0.1, 30_000);
        registry.reported("attempt 3", 0.2, 60_000);

        for (Decision decision : policy.scan(61_000)) {
            if (decision.action() == Decision.Action.LAUNCH) {
                // The scheduler starts another attempt of this task here.
                registry.requested(TaskKind.MAP, decision.task(), 61_000);
                launched.add(decision.task());
            }
        }
        // end of the guide's text
        assertThat(launched).containsExactly("task 3");
        assertThat(policy.scan(62_000).get(0).reason()).isEqualTo(Reason.ALREADY_BACKED_UP);
    }

    @Test
    void theGuideHasThisText() throws IOException {
        String test = words(Path.of("src/test/java/org/heddle/late/policy/GuideTest.java"));
        String begin = " // guide ";
        int from = test.indexOf(begin) + begin.length();
        assertThat(words(Path.of("../../docs/speculation-library.md")))
                .contains(test.substring(from, test.indexOf(" // end of the guide's text")));
    }

    private static String words(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .map(String::strip)
                .collect(Collectors.joining(" "))
                .replaceAll("\\s+", " ");
    }
}
