// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.change;

/**
 * A part of one queue's statement: the first or the last lines of a time.
 *
 * @param fromMillis first time, wall clock
 * @param toMillis end of the time, not included
 * @param after only lines with a larger sequence
 * @param before only lines with a smaller sequence
 * @param last the last lines instead of the first ones
 * @param most limit of the lines; one more where it would separate a charge from its waiver, which has the same
 *     sequence
 */
public record StatementRange(
        String queue, long fromMillis, long toMillis, long after, long before, boolean last, int most) {
    /**
     * The first lines.
     *
     * @param after 0, or the largest sequence of the page before
     */
    public static StatementRange first(String queue, long fromMillis, long toMillis, long after, int most) {
        return new StatementRange(queue, fromMillis, toMillis, after, Long.MAX_VALUE, false, most);
    }

    /**
     * The last lines.
     *
     * @param before {@link Long#MAX_VALUE}, or the smallest sequence of the page after it
     */
    public static StatementRange last(String queue, long fromMillis, long toMillis, long before, int most) {
        return new StatementRange(queue, fromMillis, toMillis, 0, before, true, most);
    }

    /** The part of it that belongs to an account's life. */
    public StatementRange of(AccountLife life) {
        return new StatementRange(
                life.name(),
                fromMillis,
                toMillis,
                Math.max(after, life.openedSequence() - 1),
                life.isClosed() ? Math.min(before, life.closedSequence() + 1) : before,
                last,
                most);
    }

    public boolean contains(long sequence, long atMillis) {
        return sequence > after && sequence < before && atMillis >= fromMillis && atMillis < toMillis;
    }
}
