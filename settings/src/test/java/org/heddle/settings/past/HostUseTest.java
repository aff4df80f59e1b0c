// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.past;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class HostUseTest {
    private final HostUse use = new HostUse();

    @Test
    void theMostAtOnceOnOneHost() {
        use.add("a", 0, 10, 512, 1);
        use.add("a", 5, 20, 1_024, 2);
        use.add("/rack/b", 0, 10, 512, 4);
        use.add("b", 10, 20, 512, 4);
        assertThat(use.hosts()).isEqualTo(2);
        assertThat(use.most(0)).isEqualTo(1_536);
        assertThat(use.most(1)).isEqualTo(4);
    }

    @Test
    void hostsWithoutANameTellNothing() {
        use.add(null, 0, 10, 512);
        use.add("", 0, 10, 512);
        assertThat(use.hosts()).isZero();
        assertThat(use.most(0)).isZero();
    }

    @Test
    void anAttemptIsWithinItsJobOrNotOfIt() {
        JobSpan job = JobSpan.of(10_000_000, 20_000_000, LongStream.of(19_000_000, -1, Long.MAX_VALUE));
        assertThat(job.within(11_000_000, 12_000_000)).hasValueSatisfying(part -> {
            assertThat(part.startMillis()).isEqualTo(11_000_000);
            assertThat(part.endMillis()).isEqualTo(12_000_000);
            assertThat(part.isCut()).isFalse();
        });
        assertThat(job.within(9_990_000, 90_000_000)).hasValueSatisfying(part -> {
            assertThat(part.startMillis()).isEqualTo(10_000_000);
            assertThat(part.endMillis()).isEqualTo(20_000_000);
            assertThat(part.isCut()).isTrue();
        });
        assertThat(job.within(0, 12_000_000)).as("hours before the job").isEmpty();
        assertThat(job.within(21_000_000, 22_000_000)).isEmpty();
        assertThat(job.within(12_000_000, 11_000_000)).isEmpty();
        assertThat(job.nearest(1)).isEqualTo(10_000_000);
    }
}
