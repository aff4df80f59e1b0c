// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.util.EnumSet;
import java.util.Set;

/**
 * Who asks, and how we know.
 *
 * @param name the user; {@link #NOBODY} if not known
 * @param how what vouches for the name
 * @param roles what they are to the market
 * @param managed paths of accounts below which they are manager
 * @param readsOnly whether they may change nothing, whatever their roles may
 */
public record Caller(String name, How how, Set<Role> roles, Set<String> managed, boolean readsOnly) {
    public static final String NOBODY = "";

    private static final Set<Role> ORDINARY = EnumSet.of(Role.VIEWER, Role.USER, Role.MANAGER);

    /** What vouches for a caller's name. */
    public enum How {
        /** A signature with one of our keys. */
        SIGNATURE,
        /** The ResourceManager's own authentication, Kerberos or a delegation token. */
        CLUSTER,
        /** The recipe of 2009. */
        LEGACY,
        /** Nothing: the caller said so, or said nothing. */
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

    /** Whether the caller manages an account: it, or one above it, is among the managed. */
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
     * This caller with no more rights than a key has: an administrator's takes nothing away, a viewer's leaves them what
     * they may read as an ordinary user, any other leaves them that role, if they have it.
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

    /** Whether they may make a key with this role: it may not do more than they may themselves. */
    public boolean mayGive(Role role) {
        return !readsOnly && (is(Role.ADMIN) || is(role) || (role == Role.VIEWER && is(Role.USER)));
    }
}
