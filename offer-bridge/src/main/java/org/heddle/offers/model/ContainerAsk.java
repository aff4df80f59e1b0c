// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.model;

/**
 * What to ask the cluster for.
 *
 * @param size of each grant, as a framework sees it (the agent's own memory comes on top); none while the framework wants
 *     nothing
 * @param count grants that should be outstanding
 */
public record ContainerAsk(Resources size, int count) {
    public ContainerAsk {
        if (count < 0) {
            throw new IllegalArgumentException("asking for " + count + " grants: want >= 0");
        }
    }
}
