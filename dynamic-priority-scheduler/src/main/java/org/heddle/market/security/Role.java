// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.util.Locale;

/** What a caller is to the market. Their rights are in {@link Access}. */
public enum Role {
    /** Reads every account's five numbers. */
    VIEWER,
    /** Runs its own account. */
    USER,
    /** Runs the accounts below the paths that it manages. */
    MANAGER,
    /** Reads everything, the audit included. */
    AUDITOR,
    /** Everything. */
    ADMIN;

    /** As it is written in JSON and configuration. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws RefusedException (400) if there is no such role */
    public static Role of(String word) throws RefusedException {
        for (Role role : values()) {
            if (role.word().equals(word)) {
                return role;
            }
        }
        throw RefusedException.badRequest(
                "there is no role '" + word + "'; use viewer, user, manager, auditor or admin");
    }
}
