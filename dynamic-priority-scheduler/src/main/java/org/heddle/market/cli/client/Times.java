// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.client;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.heddle.settings.command.CommandException;

/** Times on the command line: dates and times of ISO 8601, in UTC. */
public final class Times {
    private Times() {}

    /** Milliseconds since 1970 of a date or time. @throws CommandException if it is none */
    public static long millis(String option, String text) {
        try {
            if (text.indexOf('T') < 0) {
                return LocalDate.parse(text)
                        .atStartOfDay(ZoneOffset.UTC)
                        .toInstant()
                        .toEpochMilli();
            }
            return Instant.parse(text).toEpochMilli();
        } catch (DateTimeException e) {
            throw new CommandException(
                    CommandException.WRONG,
                    option + " " + text
                            + ": write a date or a time in UTC, for example 2026-12-01 or 2026-12-01T06:00:00Z");
        }
    }
}
