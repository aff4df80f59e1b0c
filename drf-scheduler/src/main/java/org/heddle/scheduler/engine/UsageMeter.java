// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

/** Is told when what a schedulable holds has changed: a container began, ended or was resized. Must be quick and not throw. */
@FunctionalInterface
public interface UsageMeter {
    /** @param usage what the schedulable holds now, per resource; valid during the call, not to be changed */
    void usageChanged(long[] usage);
}
