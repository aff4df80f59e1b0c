// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

/**
 * Receives the usage of a queue, user or application after a container began, ended or was resized. Must be quick; must
 * not throw.
 */
@FunctionalInterface
public interface UsageMeter {
    /** @param usage what it holds now, per resource; valid during the call, not to be changed */
    void usageChanged(long[] usage);
}
