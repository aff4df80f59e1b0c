// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.result;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Where a result comes from.
 *
 * @param date when the run began, as ISO 8601 in UTC
 * @param commit of the source tree
 * @param changed whether tracked files differed from that commit
 * @param machine what it ran on
 * @param hadoop version of Hadoop's classes
 * @param seeds of the repetitions, in their order
 * @param repetitions of each measurement
 * @param load of the machine
 * @param seconds that the whole run took
 */
public record Provenance(
        String date,
        String commit,
        boolean changed,
        Machine machine,
        String hadoop,
        List<Long> seeds,
        int repetitions,
        Load load,
        double seconds) {
    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{12,40}");

    public Provenance {
        seeds = List.copyOf(seeds);
    }

    /** What keeps the result from being published: one phrase each, none if nothing is missing. */
    public List<String> missing() {
        List<String> missing = new ArrayList<>();
        require(missing, isDate(date), "a date");
        require(missing, COMMIT.matcher(commit).matches(), "the commit");
        require(missing, !changed, "a source tree without changes since the commit");
        require(missing, isKnown(machine.cpu()), "the model of the processor");
        require(missing, machine.cores() > 0, "the number of cores");
        require(missing, machine.memoryGib() > 0, "the size of the memory");
        require(missing, isKnown(machine.kernel()), "the kernel");
        require(missing, isKnown(machine.jdk()), "the JDK");
        require(missing, isKnown(hadoop), "the version of Hadoop");
        require(missing, repetitions > 0 && seeds.size() == repetitions, "a seed for each repetition");
        require(missing, load.before() >= 0 && load.during() >= 0, "the load average");
        require(missing, load.othersCores() >= 0, "the load from other programs");
        require(missing, seconds > 0, "the duration");
        return missing;
    }

    private static void require(List<String> missing, boolean present, String what) {
        if (!present) {
            missing.add(what);
        }
    }

    private static boolean isKnown(String text) {
        return !text.isBlank() && !text.contains(Machine.UNKNOWN);
    }

    private static boolean isDate(String text) {
        try {
            return Instant.parse(text).isAfter(Instant.EPOCH);
        } catch (DateTimeParseException e) {
            return false;
        }
    }
}
