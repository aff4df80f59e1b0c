// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.heddle.packing.check.PlanChecker;
import org.heddle.packing.model.Problem;
import org.junit.jupiter.api.Test;

/** Files as release 0.1.0 wrote them are read, and files of versions to come are refused in one sentence. */
class ReleasedFormatsTest {
    private static final String PROBLEM = "problem-0.1.0.json";
    private static final String PLAN = "plan-0.1.0.json";

    private static String text(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(ReleasedFormatsTest.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void problems() throws IOException {
        String text = text(PROBLEM);
        ProblemFile.Loaded loaded = ProblemFile.parse(PROBLEM, text);
        assertThat(loaded.warnings()).isEmpty();
        assertThat(loaded.problem().jobs()).hasSize(5);
        Problem again = ProblemFile.parse(
                        "again", ProblemFile.write(loaded.problem()).toString())
                .problem();
        assertThat(again).as("what this release writes means the same").isEqualTo(loaded.problem());
        assertThatThrownBy(() -> ProblemFile.parse(PROBLEM, text.replace("\"version\": 1", "\"version\": 2")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("version: is unknown; this program reads version 1");
    }

    @Test
    void plans() throws IOException {
        String text = text(PLAN);
        PlanFile.Loaded loaded = PlanFile.parse(PLAN, text);
        assertThat(loaded.warnings()).isEmpty();
        assertThat(PlanChecker.check(loaded.problem(), loaded.plan()).accepted())
                .isTrue();
        assertThat(PlanFile.write(loaded.problem(), loaded.plan(), 0.5).toPrettyString())
                .as("the format has not changed")
                .isEqualTo(text.strip());
        String later = text.replaceFirst("\"version\" : 1", "\"version\" : 2");
        assertThatThrownBy(() -> PlanFile.parse(PLAN, later))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("version: is unknown; this program reads version 1");
    }
}
