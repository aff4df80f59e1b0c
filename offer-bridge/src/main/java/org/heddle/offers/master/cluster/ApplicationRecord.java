// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.cluster;

import org.heddle.offers.model.Resources;

/**
 * What another bridge needs to take an application over. The credential is recorded because the cluster does not show it
 * again after the application has registered.
 *
 * @param id the cluster's name for it
 * @param credential opaque, secret
 * @param asked size of the last request: the cluster keeps it until it is cancelled
 */
public record ApplicationRecord(String id, byte[] credential, Resources asked) {
    public ApplicationRecord withCredential(byte[] renewed) {
        return new ApplicationRecord(id, renewed, asked);
    }

    public ApplicationRecord withAsked(Resources size) {
        return new ApplicationRecord(id, credential, size);
    }
}
