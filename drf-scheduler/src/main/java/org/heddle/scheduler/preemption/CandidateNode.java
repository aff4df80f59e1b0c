// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.preemption;

import java.util.List;

/**
 * A node on which preemption could free resources.
 *
 * @param name for ties and messages
 * @param free resources that are free and not promised, per resource; may be negative where too much is promised
 * @param held containers there that may be preempted
 * @param tag an object by which the caller identifies it
 */
public record CandidateNode(String name, long[] free, List<VictimCandidate> held, Object tag) {}
