// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.sharing;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class SharesOverTimeTest {
    @Test
    void theFirstJobMustEndBeforeTheLastFrameworkComes() {
        assertThatCode(() -> SharesOverTime.requireShortJobs(45)).doesNotThrowAnyException();
        assertThatThrownBy(() -> SharesOverTime.requireShortJobs(105))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "Spark's job takes 105 s alone. MapReduce comes 30 s after its begin, and MPI 90 s, so both would only"
                                + " wait for its end: measure on a machine that is not busy, or faster.");
    }
}
