// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.change;

import java.util.List;

/**
 * A container that the cluster ended, until its cost is given back. Its times have no dates, which could step: they are
 * counted back from the end of the epoch in which it ended.
 *
 * @param container its id
 * @param queue the account that paid for it
 * @param preempted by the scheduler; if not, its node was lost, or the disks of it
 * @param slotNanos its size in nano-slots
 * @param heldMillis how long it was held
 * @param beforeMillis how long before the end of the epoch it ended
 */
public record LostAttempt(
        String container,
        String application,
        String queue,
        boolean preempted,
        long slotNanos,
        long heldMillis,
        long beforeMillis) {
    /** Kind of its records. */
    public static final String KIND = "refund-due";

    private static final String VERSION = "1";
    private static final int FIELDS = 9;

    /** The same, with the end of its epoch. */
    public LostAttempt endedBefore(long millis) {
        return new LostAttempt(container, application, queue, preempted, slotNanos, heldMillis, millis);
    }

    /**
     * Its record, and the epochs that charged it.
     *
     * @param first of the process that measured it: times before cannot be counted
     * @param last the one in which it ended
     */
    public record Due(LostAttempt attempt, long first, long last) {
        public MarketRecord record() {
            String content = String.join(
                    " ",
                    List.of(
                            VERSION,
                            Long.toString(first),
                            Long.toString(last),
                            attempt.preempted ? "preempted" : "lost",
                            Long.toString(attempt.slotNanos),
                            Long.toString(attempt.heldMillis),
                            Long.toString(attempt.beforeMillis),
                            attempt.application,
                            attempt.queue)); // the last one, since it may have blanks
            return new MarketRecord(KIND, attempt.container, content);
        }

        /** @throws IllegalArgumentException one sentence, if the record has another version or is incomplete */
        public static Due parse(MarketRecord record) {
            String[] field = record.content().split(" ", FIELDS);
            if (!field[0].equals(VERSION) || field.length != FIELDS) {
                throw new IllegalArgumentException(
                        "the refund for " + record.id() + " is due by a record of the format '" + field[0]
                                + "', which is unknown to this version (known: " + VERSION + ")");
            }
            LostAttempt attempt = new LostAttempt(
                    record.id(),
                    field[7],
                    field[8],
                    field[3].equals("preempted"),
                    Long.parseLong(field[4]),
                    Long.parseLong(field[5]),
                    Long.parseLong(field[6]));
            return new Due(attempt, Long.parseLong(field[1]), Long.parseLong(field[2]));
        }
    }
}
