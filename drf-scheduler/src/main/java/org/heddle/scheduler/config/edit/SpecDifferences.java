// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.edit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeSet;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.model.SchedulerSpec;

/** What is different between two specifications, in the keys of {@link SpecKeys}. */
public final class SpecDifferences {
    private SpecDifferences() {}

    /** One line for each setting that is different: {@code root.etl:weight: 3, was 2}. */
    public static List<String> between(SchedulerSpec before, SchedulerSpec after) {
        SortedMap<String, String> old = listing(before);
        SortedMap<String, String> present = listing(after);
        TreeSet<String> keys = new TreeSet<>(old.keySet());
        keys.addAll(present.keySet());
        List<String> lines = new ArrayList<>();
        for (String key : keys) {
            String was = old.get(key);
            String is = present.get(key);
            if (was == null) {
                lines.add(key + ": " + is + ", was not set");
            } else if (is == null) {
                lines.add(key + ": not set, was " + was);
            } else if (!is.equals(was)) {
                lines.add(key + ": " + is + ", was " + was);
            }
        }
        return withPlacement(lines, before, after);
    }

    /** Placement steps have no keys. */
    private static List<String> withPlacement(List<String> lines, SchedulerSpec before, SchedulerSpec after) {
        if (!before.placement().equals(after.placement())) {
            lines.add("placement: other steps");
        }
        return lines;
    }

    private static SortedMap<String, String> listing(SchedulerSpec spec) {
        try {
            return SpecEditor.listing(
                    "configuration", SpecWriter.write(spec, List.of()).getBytes(StandardCharsets.UTF_8));
        } catch (ConfigurationException e) {
            throw new IllegalStateException("a written specification cannot be read", e);
        }
    }
}
