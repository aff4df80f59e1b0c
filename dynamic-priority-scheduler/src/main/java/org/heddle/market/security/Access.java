// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * The permissions of the roles: one table, no state.
 *
 * <table>
 * <caption>Permissions of each role</caption>
 * <tr><th></th><th>none</th><th>viewer</th><th>user</th><th>manager</th><th>auditor</th><th>admin</th></tr>
 * <tr><td>READ_MARKET</td><td>x</td><td>x</td><td>x</td><td>x</td><td>x</td><td>x</td></tr>
 * <tr><td>READ_ACCOUNT</td><td></td><td>x</td><td>own</td><td>managed</td><td>x</td><td>x</td></tr>
 * <tr><td>READ_STATEMENT</td><td></td><td></td><td>own</td><td>managed</td><td>x</td><td>x</td></tr>
 * <tr><td>SET_RATE, QUOTE</td><td></td><td></td><td>own</td><td>managed</td><td></td><td>x</td></tr>
 * <tr><td>TAKE (pay out of)</td><td></td><td></td><td>own</td><td>managed</td><td></td><td>x</td></tr>
 * <tr><td>MINT, ADMINISTER</td><td></td><td></td><td></td><td></td><td></td><td>x</td></tr>
 * <tr><td>AUDIT, READ_ALL_KEYS</td><td></td><td></td><td></td><td></td><td>x</td><td>x</td></tr>
 * </table>
 */
public final class Access {
    /** An action on the market. */
    public enum Action {
        READ_MARKET,
        READ_ACCOUNT,
        READ_STATEMENT,
        SET_RATE,
        QUOTE,
        TAKE,
        MINT,
        ADMINISTER,
        AUDIT,
        READ_ALL_KEYS
    }

    /** For actions that concern no account. */
    public static final String NO_ACCOUNT = "";

    private static final Set<Action> CHANGES = EnumSet.of(Action.SET_RATE, Action.TAKE, Action.MINT, Action.ADMINISTER);

    private Access() {}

    /**
     * Whether a caller may do something with an account.
     *
     * @param account its name, or {@link #NO_ACCOUNT}
     * @param owns whether a user (first) owns an account (second)
     */
    public static boolean allows(Caller caller, Action action, String account, BiPredicate<String, String> owns) {
        if (action == Action.READ_MARKET) {
            return true;
        }
        if (caller.readsOnly() && CHANGES.contains(action)) {
            return false;
        }
        if (caller.is(Role.ADMIN)) {
            return true;
        }
        boolean runs = (caller.is(Role.USER) && !caller.name().isEmpty() && owns.test(caller.name(), account))
                || caller.manages(account);
        return switch (action) {
            case READ_ACCOUNT -> runs || caller.is(Role.VIEWER) || caller.is(Role.AUDITOR);
            case READ_STATEMENT -> runs || caller.is(Role.AUDITOR);
            case SET_RATE, QUOTE, TAKE -> runs;
            case AUDIT, READ_ALL_KEYS -> caller.is(Role.AUDITOR);
            default -> false;
        };
    }
}
