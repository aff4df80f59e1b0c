// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import org.heddle.offers.model.Bundle;

/**
 * What the next bridge needs to take an application over. The credential is kept because the cluster shows it to nobody
 * once the application has registered.
 *
 * @param id the cluster's name for it
 * @param credential opaque, secret
 * @param asked size of what was last asked for: the cluster remembers it, and must be told to forget it
 */
public record KnownApp(String id, byte[] credential, Bundle asked) {
    KnownApp withCredential(byte[] renewed) {
        return new KnownApp(id, renewed, asked);
    }

    KnownApp withAsked(Bundle size) {
        return new KnownApp(id, credential, size);
    }
}
