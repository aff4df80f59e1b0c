// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.change;

import java.util.Locale;

/** What a member of an account may do with it and with those below it. A later one may do what an earlier one may. */
public enum AccountRole {
    /** Reads its balance and its statement. */
    READER,
    /** Also sets its rate, pays out of it, opens accounts below it, and gives roles up to the own one. */
    MANAGER,
    /** Also makes other users owners. */
    OWNER;

    /** Its word in the ledger and in JSON. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws IllegalArgumentException one sentence, if there is no such role */
    public static AccountRole of(String word) {
        for (AccountRole role : values()) {
            if (role.word().equals(word)) {
                return role;
            }
        }
        throw new IllegalArgumentException("'" + word + "' is no role of an account; use reader, manager or owner");
    }
}
