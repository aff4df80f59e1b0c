// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The applications for which a placement step is tried. Where several sets are given, an application must be in each.
 *
 * @param users short names of their users; empty for every user
 * @param groups groups of their users; empty for every group
 * @param applications names of applications; empty for every name
 * @param unnamed only applications whose submission names no queue
 */
public record PlacementCondition(Set<String> users, Set<String> groups, Set<String> applications, boolean unnamed) {
    /** No user and no application has an empty name. */
    private static final Set<String> NOBODY = Set.of("");

    /** Every application. */
    public static final PlacementCondition ANY = new PlacementCondition(Set.of(), Set.of(), Set.of(), false);

    public PlacementCondition {
        users = Set.copyOf(users);
        groups = Set.copyOf(groups);
        applications = Set.copyOf(applications);
    }

    /** That both hold; null where this would take a user of one group and of another one. */
    public @Nullable PlacementCondition and(PlacementCondition other) {
        if (!groups.isEmpty() && !other.groups.isEmpty() && !groups.equals(other.groups)) {
            return null;
        }
        return new PlacementCondition(
                both(users, other.users),
                groups.isEmpty() ? other.groups : groups,
                both(applications, other.applications),
                unnamed || other.unnamed);
    }

    private static Set<String> both(Set<String> some, Set<String> others) {
        if (some.isEmpty() || others.isEmpty()) {
            return some.isEmpty() ? others : some;
        }
        Set<String> both = new HashSet<>(some);
        both.retainAll(others);
        return both.isEmpty() ? NOBODY : both;
    }

    /** Whether it holds for no application, because the sets of two conditions have nothing in common. */
    public boolean isNobody() {
        return users.equals(NOBODY) || applications.equals(NOBODY);
    }

    public boolean isAny() {
        return equals(ANY);
    }
}
