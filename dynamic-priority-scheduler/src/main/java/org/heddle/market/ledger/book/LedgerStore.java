// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.book;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.heddle.market.model.change.ApplicationCost;
import org.heddle.market.model.change.AuditEntry;
import org.heddle.market.model.change.StatementLine;
import org.heddle.market.model.change.StatementRange;

/**
 * Storage of the ledger. It has one writer: the last process that became its leader. One thread calls {@link #append}
 * and {@link #lastSequence}; any thread may read.
 *
 * <pre>
 * lead -> append, append, ... -> close
 *                 | IOException: the result of the batch is unknown
 *                 v
 *              lastSequence, until it answers -> append the missing transactions
 *                 | FencedException: another process leads; this one must not write any more
 * </pre>
 */
public interface LedgerStore extends AutoCloseable {
    /** Another process has become the leader; nothing of the batch is valid. */
    final class FencedException extends IOException {
        private static final long serialVersionUID = 1;

        public FencedException(String message) {
            super(message);
        }
    }

    /**
     * Becomes the leader, so that the previous one cannot write any more, and reads the ledger.
     *
     * @throws IOException one sentence: the store is missing, belongs to another cluster, has another version or is
     *     damaged
     */
    LedgerState lead() throws IOException;

    /**
     * Writes transactions in order. Each is written completely or not at all, and is durable on return.
     *
     * @throws FencedException if another process leads
     * @throws IOException if the result is unknown
     */
    void append(List<Transaction> batch) throws IOException;

    /**
     * Reconnects after a failure, if possible. @return the number of the last stored transaction
     *
     * @throws FencedException if another process leads
     * @throws IOException if the store still fails
     */
    long lastSequence() throws IOException;

    /**
     * Passes the past, oldest first: all transactions; or, from a store that does not keep them whole, only closed
     * epochs with their bills, as transactions with the sequence 0.
     *
     * @param fromMillis start of the first epoch, wall clock
     */
    void past(long fromMillis, Consumer<Transaction> to) throws IOException;

    /** Entries of the audit with a larger sequence than {@code after}, oldest first. */
    List<AuditEntry> audit(long after, int most) throws IOException;

    /** Lines of one queue's statement, oldest first. */
    List<StatementLine> statement(StatementRange range) throws IOException;

    /**
     * The costs of a queue's applications in a time, largest first; the last one may be the sum of all others.
     *
     * @param most limit of the listed ones
     */
    List<ApplicationCost> applications(String queue, long fromMillis, long toMillis, ApplicationCost.By by, int most)
            throws IOException;

    /** Its location, for messages. */
    String place();

    @Override
    void close() throws IOException;
}
