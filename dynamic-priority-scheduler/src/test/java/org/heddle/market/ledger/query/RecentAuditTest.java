// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import org.heddle.market.model.change.AuditEntry;
import org.junit.jupiter.api.Test;

/** Which entries of the audit are in memory. */
class RecentAuditTest {
    private final RecentAudit audit = new RecentAudit(3);

    private void add(long... sequences) {
        for (long sequence : sequences) {
            audit.add(new AuditEntry(sequence, Instant.EPOCH, "p", "o", "a", "t", Map.of(), "", ""));
        }
    }

    @Test
    void theLastEntriesAreThere() {
        assertThat(audit.after(0, 10)).isEmpty();
        add(1, 2, 3, 4);
        assertThat(audit.after(0, 10)).as("entry 1 is not here").isEmpty();
        assertThat(audit.after(1, 2).orElseThrow()).extracting("sequence").containsExactly(2L, 3L);
        assertThat(audit.after(3, 10).orElseThrow()).extracting("sequence").containsExactly(4L);
        assertThat(audit.after(Long.MAX_VALUE, 10).orElseThrow()).isEmpty();
    }

    @Test
    void whatLiesBeforeAGapIsNot() {
        add(1, 2, 5);
        assertThat(audit.after(2, 10)).isEmpty();
        assertThat(audit.after(4, 10).orElseThrow()).extracting("sequence").containsExactly(5L);
    }
}
