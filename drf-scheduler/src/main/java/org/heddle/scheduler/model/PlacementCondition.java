// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

import java.util.Set;

/**
 * The applications for which a placement step is tried. Where several sets are given, an application must be in each.
 *
 * @param users short names of their users; empty for every user
 * @param groups groups of their users; empty for every group
 * @param applications names of applications; empty for every name
 * @param unnamed only applications whose submission names no queue
 */
public record PlacementCondition(Set<String> users, Set<String> groups, Set<String> applications, boolean unnamed) {
    /** Every application. */
    public static final PlacementCondition ANY = new PlacementCondition(Set.of(), Set.of(), Set.of(), false);

    public PlacementCondition {
        users = Set.copyOf(users);
        groups = Set.copyOf(groups);
        applications = Set.copyOf(applications);
    }

    public boolean isAny() {
        return equals(ANY);
    }
}
