// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.scheduler;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The schedulers that can be compared. */
public enum SchedulerKind {
    HEDDLE,
    FAIR,
    CAPACITY;

    /** As the command names it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The schedulers of a list of names, each once.
     *
     * @throws IllegalArgumentException one sentence if a name is unknown
     */
    public static List<SchedulerKind> of(List<String> names) {
        List<SchedulerKind> kinds = new ArrayList<>();
        for (String name : names) {
            SchedulerKind found = Arrays.stream(values())
                    .filter(kind -> kind.word().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("scheduler '" + name + "' is unknown; use one of "
                            + String.join(
                                    ", ",
                                    Arrays.stream(values())
                                            .map(SchedulerKind::word)
                                            .toList())));
            if (!kinds.contains(found)) {
                kinds.add(found);
            }
        }
        return kinds;
    }
}
