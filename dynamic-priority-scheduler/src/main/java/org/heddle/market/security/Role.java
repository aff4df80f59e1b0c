// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.util.Locale;

/** The role of a caller in the market; {@link Access} has its permissions. */
public enum Role {
    /** Reads the five numbers of every account. */
    VIEWER,
    /** Manages the own account. */
    USER,
    /** Manages the accounts below the configured paths. */
    MANAGER,
    /** Reads everything, the audit included. */
    AUDITOR,
    /** All permissions. */
    ADMIN;

    /** Its word in JSON and configuration. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws RefusedException (400) if the role does not exist */
    public static Role of(String word) throws RefusedException {
        for (Role role : values()) {
            if (role.word().equals(word)) {
                return role;
            }
        }
        throw RefusedException.badRequest("unknown role '" + word + "'; use viewer, user, manager, auditor or admin");
    }
}
