// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.query;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.heddle.market.model.change.AccountLife;
import org.heddle.market.model.change.AccountRole;

/** Who has a role on which account. Immutable. */
public final class AccountMembers {
    /** As the owner of a parent queue: each user owns the account of that name directly below it. */
    public static final String EACH_USER = "%user";

    public static final AccountMembers NONE = new AccountMembers(Set.of());

    private final Map<String, Map<String, AccountRole>> byUser = new HashMap<>();
    private final Set<String> owned = new HashSet<>();
    private final Set<String> known = new HashSet<>();

    /** @param lives of open and closed accounts */
    public AccountMembers(Collection<AccountLife> lives) {
        for (AccountLife life : lives) {
            life.members()
                    .forEach((user, role) -> byUser.computeIfAbsent(user, any -> new HashMap<>())
                            .put(life.reference(), life.isClosed() ? AccountRole.READER : role));
            if (!life.members().isEmpty()) {
                known.add(life.reference());
            }
            if (life.hasOwner()) {
                owned.add(life.reference());
            }
        }
    }

    /** The owners and managers of an open account; the user of its name if nobody is on record as its owner. */
    public Set<String> spenders(String account) {
        Set<String> spenders = new TreeSet<>();
        byUser.forEach((user, roles) -> {
            AccountRole role = roles.get(account);
            if (role != null && role.compareTo(AccountRole.MANAGER) >= 0) {
                spenders.add(user);
            }
        });
        String name = account.substring(account.lastIndexOf('.') + 1);
        if (ownsByName(name, account)) {
            spenders.add(name);
        }
        return spenders;
    }

    /** Whether an account has members. */
    public boolean isKnown(String reference) {
        return known.contains(reference);
    }

    /** The roles of a user, by the references of accounts. */
    public Map<String, AccountRole> of(String user) {
        return byUser.getOrDefault(user, Map.of());
    }

    /**
     * Whether a user owns an account by its name, since no owner is on record: the user of the queue's name owns an
     * account at the top, and one below a queue that belongs to {@value #EACH_USER}.
     */
    public boolean ownsByName(String user, String account) {
        if (owned.contains(account)) {
            return false;
        }
        String queue = user.replace(".", "_dot_"); // as YARN names the queues of users
        int dot = account.lastIndexOf('.');
        if (dot < 0) {
            return account.equals(queue);
        }
        return account.substring(dot + 1).equals(queue)
                && of(EACH_USER).get(account.substring(0, dot)) == AccountRole.OWNER;
    }
}
