// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.util.List;
import org.heddle.market.model.change.Mutation;

/** Where keys are kept. What it has taken survives restarts and fail-overs. */
public interface KeyStore {
    /** Every key that was ever put, in its last state. */
    List<ApiKey> keys();

    /**
     * Stores a key, new or changed, and an entry in the audit; durable when it returns.
     *
     * @param by who wants it; brings the marks of the request
     * @param action for the audit, for example {@code revoke-key}
     * @throws RefusedException (503) if it cannot be stored now
     */
    void put(ApiKey key, Mutation by, String action) throws RefusedException;
}
