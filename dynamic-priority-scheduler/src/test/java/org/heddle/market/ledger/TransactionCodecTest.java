// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.ledger.book.EpochRecord;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.ledger.book.TransactionCodec;
import org.junit.jupiter.api.Test;

/** Journals of older and newer versions can be read. */
class TransactionCodecTest {
    private static Transaction epoch(List<ClosedEpoch.ApplicationCharge> applications) {
        ClosedEpoch.Line bill = new ClosedEpoch.Line("alice", 5, 6, 7, 0, 1, 9, applications);
        ClosedEpoch closed = new ClosedEpoch(1_000, 2, 3, 4, 1, List.of(bill));
        EpochRecord record = new EpochRecord(12, 3_000, 60_000, closed);
        return new Transaction(40, 4_000, Transaction.Kind.EPOCH, "", List.of(), List.of(), record, null);
    }

    private static byte[] written(Transaction transaction) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        TransactionCodec.write(transaction, new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    private static Transaction read(byte[] bytes) throws IOException {
        return TransactionCodec.read(new DataInputStream(new ByteArrayInputStream(bytes)));
    }

    @Test
    void applicationsAreASectionBehindTheFirstFormat() throws Exception {
        Transaction without = epoch(List.of());
        Transaction with = epoch(List.of(new ClosedEpoch.ApplicationCharge("app_1", "nightly", "alice", 5, 7)));
        byte[] old = written(without);
        byte[] present = written(with);
        assertThat(read(old)).isEqualTo(without);
        assertThat(read(present)).isEqualTo(with);
        assertThat(present)
                .as("a version without sections reads the first bytes")
                .startsWith(old);
    }

    @Test
    void sectionsOfLaterVersionsAreSkipped() throws Exception {
        ByteArrayOutputStream later = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(later);
        Transaction with = epoch(List.of(new ClosedEpoch.ApplicationCharge("app_1", "nightly", "alice", 5, 7)));
        out.write(written(with));
        out.writeByte('Z');
        out.writeInt(3);
        out.write(new byte[] {1, 2, 3});
        assertThat(read(later.toByteArray())).isEqualTo(with);
    }
}
