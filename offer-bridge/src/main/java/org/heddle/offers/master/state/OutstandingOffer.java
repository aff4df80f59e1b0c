// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import org.heddle.offers.model.Resources;

/**
 * An offer which the framework has not answered.
 *
 * @param maxTaskMillis only for tasks which end within that time, as they say; 0 for all tasks
 */
public record OutstandingOffer(
        String id, AgentContainer container, Resources resources, long since, long maxTaskMillis) {
    public FrameworkRole role() {
        return container.role();
    }
}
