// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.heddle.market.model.change.AccountRole;
import org.jspecify.annotations.Nullable;

/**
 * The caller of a request, and how the name was authenticated.
 *
 * @param name the user; empty if it is not known
 * @param how the authentication of the name
 * @param roles in the market
 * @param accounts roles on accounts, and on all below them
 * @param readsOnly whether the caller may change nothing, whatever the roles
 */
public record Caller(String name, How how, Set<Role> roles, Map<String, AccountRole> accounts, boolean readsOnly) {
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
        accounts = Map.copyOf(accounts);
    }

    public Caller(String name, How how, Set<Role> roles, Map<String, AccountRole> accounts) {
        this(name, how, roles, accounts, false);
    }

    public boolean is(Role role) {
        return roles.contains(role);
    }

    /** Whether the caller has a role, or a stronger one, on an account or on one above it. */
    boolean has(AccountRole role, String account) {
        AccountRole strongest = strongest(account);
        return strongest != null && strongest.compareTo(role) >= 0;
    }

    boolean hasExactly(AccountRole role, String account) {
        return strongest(account) == role;
    }

    private @Nullable AccountRole strongest(String account) {
        AccountRole strongest = null;
        for (int end = account.length(); end >= 0; end = account.lastIndexOf('.', end - 1)) {
            AccountRole role = accounts.get(account.substring(0, end));
            if (role != null && (strongest == null || role.compareTo(strongest) > 0)) {
                strongest = role;
            }
        }
        return strongest;
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
        return new Caller(name, how, left, accounts, readsOnly || cap == Role.VIEWER);
    }

    /** Whether the caller may create a key with this role: a key must not have more permissions than its creator. */
    public boolean mayGive(Role role) {
        return !readsOnly && (is(Role.ADMIN) || is(role) || (role == Role.VIEWER && is(Role.USER)));
    }
}
