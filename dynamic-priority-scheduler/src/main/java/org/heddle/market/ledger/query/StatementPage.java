// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.query;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.heddle.market.model.change.StatementLine;
import org.heddle.market.model.change.StatementRange;

/** The lines of a {@link StatementRange}, of transactions that come oldest first. */
public final class StatementPage {
    private final StatementRange range;
    /** The lines of each transaction. */
    private final Deque<List<StatementLine>> transactions = new ArrayDeque<>();

    private int size;

    public StatementPage(StatementRange range) {
        this.range = range;
    }

    /** Adds the lines of one transaction of the range. */
    public void add(List<StatementLine> lines) {
        if (lines.isEmpty()) {
            return;
        }
        transactions.addLast(lines);
        size += lines.size();
        while (range.last() && size - transactions.getFirst().size() >= range.most()) {
            size -= transactions.removeFirst().size();
        }
    }

    /** No later transaction changes it. */
    public boolean isFull() {
        return !range.last() && size >= range.most();
    }

    /** Oldest first. */
    public List<StatementLine> lines() {
        return transactions.stream().flatMap(List::stream).toList();
    }
}
