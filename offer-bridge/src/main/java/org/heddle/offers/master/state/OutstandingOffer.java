// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import org.heddle.offers.model.Resources;

/**
 * An offer that the framework has not answered.
 *
 * @param maxTaskMillis maximum {@code max_completion_time} of its tasks, in ms; 0 for all tasks
 */
public record OutstandingOffer(
        String id, AgentContainer container, Resources resources, long since, long maxTaskMillis) {
    public FrameworkRole role() {
        return container.role();
    }
}
