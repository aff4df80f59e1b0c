// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.revocation;

import org.heddle.scheduler.engine.Claim;

/**
 * A container that may be revoked.
 *
 * @param owner the application that holds it
 * @param size per resource
 * @param master whether its ApplicationMaster runs in it
 * @param priority of the ask that it was given for; the smaller the more it matters, as YARN has it
 * @param sequence order of allocation: the larger, the younger
 * @param tag whatever the caller knows it by
 */
public record Held(Claim owner, long[] size, boolean master, int priority, long sequence, Object tag) {}
