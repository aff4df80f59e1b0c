// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.change;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * One change in the audit. The hash of an entry covers its content and the hash before it, so that nobody can change,
 * remove or insert an entry without breaking the chain.
 *
 * @param sequence 1, 2, 3, ... without gaps
 * @param at wall clock
 * @param principal user or key owner
 * @param origin address or component of the request
 * @param action for example {@code set-spending}
 * @param target the changed queue or thing
 * @param details amounts and names, by name
 * @param previousHash hash of the entry before; 64 zeros for the first
 * @param hash SHA-256 in hexadecimal
 */
public record AuditEntry(
        long sequence,
        Instant at,
        String principal,
        String origin,
        String action,
        String target,
        Map<String, String> details,
        String previousHash,
        String hash) {
    public AuditEntry {
        details = Collections.unmodifiableMap(new TreeMap<>(details));
    }
}
