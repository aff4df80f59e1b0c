// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.quote;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.settings.Durations;

/**
 * Tasks of a job that can run at the same time; the next stage begins when all have ended.
 *
 * @param tasks their number
 * @param taskMillis expected length of a task
 * @param spread standard deviation of the mean length from run to run, as a part of it: 0.2 for 20 %
 * @param taskSlots slots of one task
 */
public record Stage(long tasks, double taskMillis, double spread, double taskSlots) {
    /** Spread where nothing is known: runs of one job on different data and nodes. */
    public static final double DEFAULT_SPREAD = 0.2;

    private static final String NUMBER = "([0-9]{1,9}(?:\\.[0-9]{1,6})?)";
    private static final Pattern TEXT =
            Pattern.compile("([0-9]{1,9})x([^~@]+)(?:~" + NUMBER + "%)?(?:@" + NUMBER + ")?");

    public Stage {
        if (tasks < 1 || !(taskMillis > 0) || !(spread >= 0 && spread <= 1) || !(taskSlots > 0)) {
            throw new IllegalArgumentException(
                    "a stage of " + tasks + " tasks of " + taskMillis + " ms and " + taskSlots
                            + " slots with a spread of " + spread
                            + " cannot be quoted; tasks, length and slots must be more than 0, the spread 0 to 1");
        }
    }

    /** Slot-milliseconds of all tasks. */
    public double work() {
        return tasks * taskMillis * taskSlots;
    }

    /** Slots that all tasks need at once. */
    public double width() {
        return tasks * taskSlots;
    }

    /**
     * Reads {@code TASKSxDURATION[~SPREAD%][@SLOTS]}, for example {@code 400x90s~20%@0.5}.
     *
     * @throws IllegalArgumentException one sentence
     */
    public static Stage parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches() || !Durations.isDuration(matcher.group(2))) {
            throw new IllegalArgumentException("'" + text
                    + "' is not a stage; write TASKSxDURATION, for example 400x90s, or 400x90s~20%@0.5 with spread and"
                    + " slots of a task");
        }
        return new Stage(
                Long.parseLong(matcher.group(1)),
                Durations.seconds(matcher.group(2), TimeUnit.SECONDS) * 1_000,
                matcher.group(3) == null ? DEFAULT_SPREAD : Double.parseDouble(matcher.group(3)) / 100,
                matcher.group(4) == null ? 1 : Double.parseDouble(matcher.group(4)));
    }

    /** The text that {@link #parse} reads. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%dx%.3fs~%.1f%%@%.6f", tasks, taskMillis / 1_000, spread * 100, taskSlots);
    }
}
