// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.revocation;

import java.util.List;

/**
 * A node on which room could be made.
 *
 * @param name for ties and messages
 * @param free room that nobody has been promised, per resource; may be negative where too much is promised
 * @param held containers there that may be revoked
 * @param tag whatever the caller knows it by
 */
public record Candidate(String name, long[] free, List<Held> held, Object tag) {}
