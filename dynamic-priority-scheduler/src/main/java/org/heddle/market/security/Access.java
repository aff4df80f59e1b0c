// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.BiPredicate;
import org.heddle.market.model.change.AccountRole;

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
 * <tr><td>DELEGATE (members, keys of the account, accounts below)</td><td></td><td></td><td>own</td><td>managed</td>
 * <td></td><td>x</td></tr>
 * <tr><td>GIVE_OWNERSHIP</td><td></td><td></td><td>own</td><td></td><td></td><td>x</td></tr>
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
        DELEGATE,
        GIVE_OWNERSHIP,
        MINT,
        ADMINISTER,
        AUDIT,
        READ_ALL_KEYS
    }

    /** For actions that concern no account. */
    public static final String NO_ACCOUNT = "";

    private static final Set<Action> CHANGES = EnumSet.of(
            Action.SET_RATE, Action.TAKE, Action.DELEGATE, Action.GIVE_OWNERSHIP, Action.MINT, Action.ADMINISTER);

    private Access() {}

    /**
     * Whether a caller may do something with an account.
     *
     * @param account its name, or {@link #NO_ACCOUNT}
     * @param owns whether a user (first) owns an account (second) by its name
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
        boolean known = caller.is(Role.USER) && !caller.name().isEmpty();
        boolean owner = known && (owns.test(caller.name(), account) || caller.has(AccountRole.OWNER, account));
        boolean runs = owner || (caller.is(Role.MANAGER) && caller.has(AccountRole.MANAGER, account));
        boolean reads = runs || (known && caller.hasExactly(AccountRole.READER, account));
        return switch (action) {
            case READ_ACCOUNT -> reads || caller.is(Role.VIEWER) || caller.is(Role.AUDITOR);
            case READ_STATEMENT -> reads || caller.is(Role.AUDITOR);
            case SET_RATE, QUOTE, TAKE -> runs;
            case DELEGATE -> runs && !ApiKey.isOfAccount(caller.name());
            case GIVE_OWNERSHIP -> owner && !ApiKey.isOfAccount(caller.name());
            case AUDIT, READ_ALL_KEYS -> caller.is(Role.AUDITOR);
            default -> false;
        };
    }
}
