// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.model;

/**
 * A request to YARN for containers.
 *
 * @param size size of each container without its agent; none while the framework wants nothing
 * @param count number of containers that should be outstanding
 */
public record ContainerAsk(Resources size, int count) {
    public ContainerAsk {
        if (count < 0) {
            throw new IllegalArgumentException("an ask for " + count + " containers: want >= 0");
        }
    }
}
