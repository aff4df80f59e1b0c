// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.client;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as users write them: 18:00, 90m, 2h, 2026-11-23T18:00, 2026-11-23T18:00:00Z. */
public final class TimeText {
    private static final Pattern SPAN = Pattern.compile("([0-9]{1,6})(s|m|h|d)");

    private TimeText() {}

    /**
     * Milliseconds since 1970. A time of day is the next one.
     *
     * @throws CommandException one sentence
     */
    public static long millis(String text, ZonedDateTime now) {
        Matcher span = SPAN.matcher(text);
        if (span.matches()) {
            return now.plus(duration(Long.parseLong(span.group(1)), span.group(2)))
                    .toInstant()
                    .toEpochMilli();
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

    private static Duration duration(long count, String unit) {
        return switch (unit) {
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofDays(count);
        };
    }
}
