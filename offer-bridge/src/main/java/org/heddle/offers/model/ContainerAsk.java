// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.model;

/**
 * The containers to ask YARN for.
 *
 * @param size of each container, as a framework sees it (without the agent's own memory); none while the framework wants
 *     nothing
 * @param count containers that should be outstanding
 */
public record ContainerAsk(Resources size, int count) {
    public ContainerAsk {
        if (count < 0) {
            throw new IllegalArgumentException("an ask for " + count + " containers: want >= 0");
        }
    }
}
