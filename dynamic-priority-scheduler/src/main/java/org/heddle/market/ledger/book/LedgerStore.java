// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.book;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.heddle.market.model.change.AuditEntry;
import org.heddle.market.model.change.StatementLine;

/**
 * Where the books are kept. One writer: whoever has taken the lead last. {@link #append} and {@link #lastSequence} are
 * called by one thread; reads by any.
 *
 * <pre>
 * take the lead -> append, append, ... -> close
 *                     | IOException: it is not known what of the batch is stored
 *                     v
 *                  lastSequence, until it answers -> append what is missing
 *                     | FencedException: another has the lead; nothing may be written any more
 * </pre>
 */
public interface LedgerStore extends AutoCloseable {
    /** Another process has taken the lead since; nothing of the batch counts. */
    final class FencedException extends IOException {
        private static final long serialVersionUID = 1;

        public FencedException(String message) {
            super(message);
        }
    }

    /**
     * Takes the lead, so that whoever had it cannot write any more, and reads the books.
     *
     * @throws IOException one sentence: the store is not there, belongs to another cluster, has another version or is
     *     damaged
     */
    LedgerState lead() throws IOException;

    /**
     * Writes transactions: durable on return, each at once or not at all, in order and without gaps.
     *
     * @throws FencedException if the lead is lost
     * @throws IOException if the outcome is not known
     */
    void append(List<Transaction> batch) throws IOException;

    /**
     * After a failure: makes the store usable again if it can, and tells what it has.
     *
     * @throws FencedException if the lead is lost
     * @throws IOException if it still does not work
     */
    long lastSequence() throws IOException;

    /**
     * Shows closed epochs, oldest first, bills included.
     *
     * @param fromMillis those that began then or later, wall clock
     */
    void epochs(long fromMillis, Consumer<EpochRecord> to) throws IOException;

    /** Entries of the audit with a larger sequence than {@code after}, oldest first. */
    List<AuditEntry> audit(long after, int most) throws IOException;

    /**
     * Lines of one queue's statement, oldest first, with a larger sequence than {@code after}; one more than {@code most}
     * where a charge would be parted from its waiver, which has the same sequence.
     */
    List<StatementLine> statement(String queue, long fromMillis, long toMillis, long after, int most)
            throws IOException;

    /** Where it is, for messages. */
    String place();

    @Override
    void close() throws IOException;
}
