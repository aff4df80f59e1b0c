// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.cluster;

import org.heddle.offers.model.Resources;

/**
 * What the next bridge needs to take an application over. The credential is kept because the cluster shows it to nobody
 * once the application has registered.
 *
 * @param id the cluster's name for it
 * @param credential opaque, secret
 * @param asked size of what was last asked for: the cluster remembers it, and must be told to forget it
 */
public record ApplicationRecord(String id, byte[] credential, Resources asked) {
    public ApplicationRecord withCredential(byte[] renewed) {
        return new ApplicationRecord(id, renewed, asked);
    }

    public ApplicationRecord withAsked(Resources size) {
        return new ApplicationRecord(id, credential, size);
    }
}
