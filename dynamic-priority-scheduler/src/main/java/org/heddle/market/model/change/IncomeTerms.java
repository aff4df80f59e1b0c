// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.change;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneId;

/**
 * What an income may have beside its schedule. Kept in a record beside the schedule, whose format has no place for it.
 *
 * @param zone time zone of calendar months, at whose beginnings it pays; empty for a fixed period
 * @param perSlot whether the total is for each slot of the cluster, so that it grows with the cluster
 * @param rollOver payments of which an account keeps what it did not spend; {@link #ALL} for no limit
 */
public record IncomeTerms(String zone, boolean perSlot, int rollOver) {
    /** Kind of its records. */
    public static final String KIND = "income-terms";

    public static final int ALL = -1;
    public static final IncomeTerms NONE = new IncomeTerms("", false, ALL);

    private static final String VERSION = "1";
    private static final int FIELDS = 4;
    private static final int MOST_ROLLED_OVER = 1_000;

    public IncomeTerms {
        if (rollOver < ALL || rollOver > MOST_ROLLED_OVER) {
            throw new IllegalArgumentException("an income that lets accounts keep " + rollOver
                    + " payments cannot be set; use 0 to " + MOST_ROLLED_OVER);
        }
        try {
            if (!zone.isEmpty()) {
                var unused = ZoneId.of(zone);
            }
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "'" + zone + "' is no time zone; use UTC or one such as Europe/Berlin", e);
        }
    }

    public boolean isMonthly() {
        return !zone.isEmpty();
    }

    /** The first beginning of a month at a time or after it. */
    public long monthFrom(long millis) {
        ZoneId at = ZoneId.of(zone);
        YearMonth month = YearMonth.from(Instant.ofEpochMilli(millis).atZone(at));
        long begins = begins(month, at);
        return begins >= millis ? begins : begins(month.plusMonths(1), at);
    }

    private static long begins(YearMonth month, ZoneId zone) {
        return month.atDay(1).atStartOfDay(zone).toInstant().toEpochMilli();
    }

    /** The record of an income; one that removes it if there is nothing to say. */
    public MarketRecord record(String id) {
        if (equals(NONE)) {
            return new MarketRecord(KIND, id, "");
        }
        String of = perSlot ? "slot" : "all";
        return new MarketRecord(KIND, id, String.join(" ", VERSION, of, "" + rollOver, zone));
    }

    /** @throws IllegalArgumentException one sentence, if the record has another version or is incomplete */
    public static IncomeTerms parse(MarketRecord record) {
        String[] field = record.content().split(" ", FIELDS);
        if (!field[0].equals(VERSION) || field.length != FIELDS) {
            throw new IllegalArgumentException("the income " + record.id() + " has terms of the format '" + field[0]
                    + "', which is unknown to this version (known: " + VERSION + "); start the version that wrote it");
        }
        return new IncomeTerms(field[3], field[1].equals("slot"), Integer.parseInt(field[2]));
    }
}
