// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.snapshot;

import java.util.Map;

/**
 * A node that takes containers. Amounts are per resource name.
 *
 * @param id its host and port
 * @param label its partition; empty if it has none
 * @param total what it has
 * @param used what its containers have
 * @param containers number of these
 * @param reservedFor the application for whose large request it is reserved; empty if it is not
 * @param promisedTo the applications for which preemption frees resources there, separated by commas; empty if none
 */
public record NodeReport(
        String id,
        String label,
        Map<String, Long> total,
        Map<String, Long> used,
        int containers,
        String reservedFor,
        String promisedTo) {}
