// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.ledger.book.EpochRecord;
import org.heddle.market.ledger.book.Posting;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.model.change.StatementLine;
import org.heddle.market.model.change.StatementRange;
import org.junit.jupiter.api.Test;

/** Which part of the past the memory of statements knows. Each transaction lasts ten milliseconds. */
class RecentStatementsTest {
    private static final long MILLIS = 10;

    private final RecentStatements statements = new RecentStatements(12);

    private static Transaction epoch(long sequence, long waived) {
        ClosedEpoch.Line bill = new ClosedEpoch.Line("a", 1, 2, 3, waived, 0, 100 - sequence, List.of());
        ClosedEpoch closed = new ClosedEpoch(MILLIS, 1, 1, 1, 1, List.of(bill));
        return new Transaction(
                sequence,
                sequence * MILLIS,
                Transaction.Kind.EPOCH,
                "",
                List.of(),
                List.of(),
                new EpochRecord(sequence, (sequence - 1) * MILLIS, MILLIS, closed),
                null);
    }

    private static Transaction deposit(long sequence) {
        List<Posting> postings = List.of(new Posting(Posting.MINT, -7, -7), new Posting("a", 7, 107));
        return new Transaction(
                sequence, sequence * MILLIS, Transaction.Kind.DEPOSIT, "gift", postings, List.of(), null, null);
    }

    private List<StatementLine> lines(long from, long after, int most) {
        return statements.of(first("a", from, after, most)).orElseThrow();
    }

    private static StatementRange first(String queue, long from, long after, int most) {
        return StatementRange.first(queue, from, Long.MAX_VALUE, after, most);
    }

    private List<StatementLine> last(long before, int most) {
        return statements
                .of(StatementRange.last("a", 0, Long.MAX_VALUE, before, most))
                .orElseThrow();
    }

    @Test
    void linesAreThoseOfTheTransactions() {
        List<StatementLine> expected = new ArrayList<>();
        for (Transaction each : List.of(epoch(1, 0), deposit(2), epoch(3, 5))) {
            statements.add(each);
            Statements.of(each).forEach(entry -> expected.add(entry.line()));
        }
        assertThat(expected).hasSize(4);
        assertThat(lines(0, 0, 10)).isEqualTo(expected);
        assertThat(lines(0, 1, 2)).as("a charge and its waiver stay together").isEqualTo(expected.subList(1, 4));
        assertThat(lines(3 * MILLIS, 0, 10)).isEqualTo(expected.subList(2, 4));
        assertThat(last(Long.MAX_VALUE, 10)).isEqualTo(expected);
        assertThat(last(Long.MAX_VALUE, 1))
                .as("a charge and its waiver stay together")
                .isEqualTo(expected.subList(2, 4));
        assertThat(last(3, 1)).isEqualTo(expected.subList(1, 2));
        assertThat(last(3, 2)).isEqualTo(expected.subList(0, 2));
        assertThat(statements.of(first("b", 0, 0, 10)).orElseThrow()).isEmpty();
    }

    @Test
    void theOldestGoWhenThereAreTooMany() {
        for (int i = 1; i <= 6; i++) {
            statements.add(epoch(i, 0));
        }
        assertThat(statements.of(first("a", 2 * MILLIS, 0, 10))).isEmpty();
        assertThat(lines(2 * MILLIS + 1, 0, 10)).extracting("sequence").containsExactly(3L, 4L, 5L, 6L);
    }

    @Test
    void aGapMakesTheTimeBeforeItUnknown() {
        assertThat(statements.of(first("a", 0, 0, 10))).isEmpty();
        statements.add(epoch(1, 0));
        statements.add(epoch(3, 0));
        statements.add(epoch(4, 0));
        assertThat(statements.of(first("a", 3 * MILLIS, 0, 10))).isEmpty();
        assertThat(lines(3 * MILLIS + 1, 0, 10)).extracting("sequence").containsExactly(4L);
    }
}
