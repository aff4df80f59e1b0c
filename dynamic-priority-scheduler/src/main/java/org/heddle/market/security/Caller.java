// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.util.EnumSet;
import java.util.Set;

/**
 * The caller of a request, and how the name was authenticated.
 *
 * @param name the user; empty if it is not known
 * @param how the authentication of the name
 * @param roles in the market
 * @param managed paths of accounts that the caller manages, with all below them
 * @param readsOnly whether the caller may change nothing, whatever the roles
 */
public record Caller(String name, How how, Set<Role> roles, Set<String> managed, boolean readsOnly) {
    private static final Set<Role> ORDINARY = EnumSet.of(Role.VIEWER, Role.USER, Role.MANAGER);

    /** The authentication of a caller's name. */
    public enum How {
        /** A signature with an API key. */
        SIGNATURE,
        /** The ResourceManager's own authentication, Kerberos or a delegation token. */
        CLUSTER,
        /** None: the name is not verified, or empty. */
        NOTHING
    }

    public Caller {
        roles = roles.isEmpty() ? EnumSet.noneOf(Role.class) : EnumSet.copyOf(roles);
        managed = Set.copyOf(managed);
    }

    public Caller(String name, How how, Set<Role> roles, Set<String> managed) {
        this(name, how, roles, managed, false);
    }

    public boolean is(Role role) {
        return roles.contains(role);
    }

    /** Whether the caller manages an account: it or one above it is in the managed paths. */
    boolean manages(String account) {
        if (!is(Role.MANAGER)) {
            return false;
        }
        for (String above : managed) {
            if (account.equals(above) || account.startsWith(above + ".")) {
                return true;
            }
        }
        return false;
    }

    /**
     * This caller limited to the role of a key. A key with role admin removes nothing; one with role viewer leaves the
     * read permissions of an ordinary user; any other leaves its role, if the caller has it.
     */
    public Caller limitedTo(Role cap) {
        if (cap == Role.ADMIN) {
            return this;
        }
        Set<Role> left = EnumSet.noneOf(Role.class);
        for (Role role : cap == Role.VIEWER ? ORDINARY : EnumSet.of(cap)) {
            if (is(role)) {
                left.add(role);
            }
        }
        if (is(Role.ADMIN)) {
            left.add(cap);
        }
        if (cap == Role.MANAGER && is(Role.USER)) {
            left.add(Role.USER);
        }
        return new Caller(name, how, left, managed, readsOnly || cap == Role.VIEWER);
    }

    /** Whether the caller may create a key with this role: a key must not have more permissions than its creator. */
    public boolean mayGive(Role role) {
        return !readsOnly && (is(Role.ADMIN) || is(role) || (role == Role.VIEWER && is(Role.USER)));
    }
}
