// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.client;

import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.time.format.DateTimeParseException;
import org.heddle.settings.Durations;
import org.heddle.settings.command.CommandException;

/** Times as users write them: 18:00, 90m, 2h, 2026-11-23T18:00, 2026-11-23T18:00:00Z. */
public final class TimeText {

    private TimeText() {}

    /**
     * Milliseconds since 1970. A time of day is the next one.
     *
     * @throws CommandException one sentence
     */
    public static long millis(String text, ZonedDateTime now) {
        if (Durations.isDuration(text)) {
            return now.toInstant().toEpochMilli() + Durations.millis(text);
        }
        try {
            if (text.matches("[0-9]{1,2}:[0-9]{2}")) {
                LocalTime time = LocalTime.parse(text.length() == 4 ? "0" + text : text);
                ZonedDateTime today = now.with(time);
                return (today.isAfter(now) ? today : today.plusDays(1))
                        .toInstant()
                        .toEpochMilli();
            }
            if (text.matches(".*(Z|[+-][0-9]{2}:[0-9]{2})")) {
                return OffsetDateTime.parse(text).toInstant().toEpochMilli();
            }
            return LocalDateTime.parse(text).atZone(now.getZone()).toInstant().toEpochMilli();
        } catch (DateTimeParseException e) {
            throw new CommandException(
                    CommandException.WRONG,
                    "'" + text + "' is not a time; write for example 18:00, 90m, 2h or 2026-11-23T18:00");
        }
    }
}
