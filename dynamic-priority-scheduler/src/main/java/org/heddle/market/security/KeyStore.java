// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.util.List;
import org.heddle.market.model.change.Mutation;

/** Storage of keys that survives restarts and failovers. */
public interface KeyStore {
    /** Every stored key in its last state. */
    List<ApiKey> keys();

    /**
     * Stores a new or changed key, and an entry in the audit; durable on return.
     *
     * @param forgotten ids of keys to remove in the same transaction
     * @param by author of the change, with the marks of the request
     * @param action for the audit, for example {@code revoke-key}
     * @throws RefusedException (503) if it cannot be stored now
     */
    void put(ApiKey key, List<String> forgotten, Mutation by, String action) throws RefusedException;
}
