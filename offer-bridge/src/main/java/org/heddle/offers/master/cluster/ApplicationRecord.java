// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.cluster;

import org.heddle.offers.model.Resources;

/**
 * An application with all that another bridge needs to take it over. The credential is recorded because the cluster
 * does not show it again after the application has registered.
 *
 * @param id name of the application in the cluster
 * @param credential opaque and secret
 * @param asked size of the last request, which the cluster keeps until it is cancelled
 */
public record ApplicationRecord(String id, byte[] credential, Resources asked) {
    public ApplicationRecord withCredential(byte[] renewed) {
        return new ApplicationRecord(id, renewed, asked);
    }

    public ApplicationRecord withAsked(Resources size) {
        return new ApplicationRecord(id, credential, size);
    }
}
