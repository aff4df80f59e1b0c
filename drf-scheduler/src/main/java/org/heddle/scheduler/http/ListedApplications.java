// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.Kind;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.SchedulableReport;
import org.jspecify.annotations.Nullable;

/**
 * Which applications an answer lists: a page shows some of ten thousand at a time.
 *
 * @param most of one user, or of a leaf queue whose applications belong to no user; those come first that are served
 *     next
 * @param find only those whose path, user, title or tag contains this, in lower case; empty for all
 * @param mostBelow another number for single users or queues, by path
 */
record ListedApplications(int most, String find, Map<String, Integer> mostBelow) {
    static final ListedApplications ALL = new ListedApplications(Integer.MAX_VALUE, "", Map.of());

    /**
     * From the parameters of a request; null where there is none.
     *
     * @param below each {@code NUMBER:PATH}
     * @throws IllegalArgumentException one sentence
     */
    static ListedApplications parse(@Nullable String most, @Nullable String find, String @Nullable [] below) {
        String name = find == null ? "" : find.toLowerCase(Locale.ROOT);
        Map<String, Integer> mostBelow = new HashMap<>();
        for (String each : below == null ? new String[0] : below) {
            int colon = each.indexOf(':');
            OptionalInt number = number(each.substring(0, Math.max(0, colon)));
            if (number.isEmpty() || colon == each.length() - 1) {
                throw new IllegalArgumentException(
                        "below = " + each
                                + ": must be a whole number, a colon and the path of a user or queue, of which so many applications are listed");
            }
            mostBelow.put(each.substring(colon + 1), number.getAsInt());
        }
        if (most == null) {
            return new ListedApplications(Integer.MAX_VALUE, name, mostBelow);
        }
        int number = number(most)
                .orElseThrow(() -> new IllegalArgumentException("applications = " + most
                        + ": must be a whole number, the most applications of each user that are listed"));
        return new ListedApplications(number, name, mostBelow);
    }

    private static OptionalInt number(String text) {
        try {
            int number = Integer.parseInt(text);
            return number >= 0 ? OptionalInt.of(number) : OptionalInt.empty();
        } catch (NumberFormatException e) {
            return OptionalInt.empty();
        }
    }

    /** The listed ones of what is directly inside a queue or user. */
    List<SchedulableReport> below(SchedulableReport parent) {
        List<SchedulableReport> children = parent.children();
        if (children.isEmpty() || children.get(0).kind() != Kind.APPLICATION) {
            return children;
        }
        int number = mostBelow.getOrDefault(parent.path(), most);
        if (find.isEmpty()) {
            return children.subList(0, Math.min(number, children.size()));
        }
        return children.stream()
                .filter(child -> child.isNamed(find))
                .limit(number)
                .toList();
    }
}
