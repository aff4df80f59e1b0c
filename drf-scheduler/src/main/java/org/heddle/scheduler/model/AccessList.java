// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/**
 * The users who may do something to a queue.
 *
 * @param everyone true for {@code *}
 * @param users names of users
 * @param groups names of groups
 */
public record AccessList(boolean everyone, Set<String> users, Set<String> groups) {
    public static final AccessList EVERYONE = new AccessList(true, Set.of(), Set.of());
    public static final AccessList NOBODY = new AccessList(false, Set.of(), Set.of());

    public AccessList {
        users = Set.copyOf(new TreeSet<>(users));
        groups = Set.copyOf(new TreeSet<>(groups));
    }

    public boolean allows(String user, Collection<String> groupsOfUser) {
        return everyone || users.contains(user) || groupsOfUser.stream().anyMatch(groups::contains);
    }
}
