// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import java.util.List;
import java.util.Locale;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.Kind;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.SchedulableReport;
import org.jspecify.annotations.Nullable;

/**
 * Which applications an answer lists: a page shows some of ten thousand at a time.
 *
 * @param most of one user, or of a leaf queue whose applications belong to no user; those come first that are served next
 * @param find only those whose name contains this, in lower case; empty for all
 */
record ListedApplications(int most, String find) {
    static final ListedApplications ALL = new ListedApplications(Integer.MAX_VALUE, "");

    /**
     * From the parameters of a request; null where there is none.
     *
     * @throws IllegalArgumentException one sentence
     */
    static ListedApplications parse(@Nullable String most, @Nullable String find) {
        String name = find == null ? "" : find.toLowerCase(Locale.ROOT);
        if (most == null) {
            return new ListedApplications(Integer.MAX_VALUE, name);
        }
        try {
            int number = Integer.parseInt(most);
            if (number >= 0) {
                return new ListedApplications(number, name);
            }
        } catch (NumberFormatException e) {
            // the sentence below says it
        }
        throw new IllegalArgumentException("applications = " + most
                + ": must be a whole number, the most applications of each user that are listed");
    }

    List<SchedulableReport> among(List<SchedulableReport> children) {
        boolean whole = equals(ALL) || children.isEmpty() || children.get(0).kind() != Kind.APPLICATION;
        return whole
                ? children
                : children.stream()
                        .filter(child -> child.name().toLowerCase(Locale.ROOT).contains(find))
                        .limit(most)
                        .toList();
    }
}
