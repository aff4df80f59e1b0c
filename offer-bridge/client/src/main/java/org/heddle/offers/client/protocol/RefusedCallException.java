// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client.protocol;

import java.io.IOException;

/** The other side understood a call and refused it. */
public final class RefusedCallException extends IOException {
    private static final long serialVersionUID = 1;

    RefusedCallException(String message) {
        super(message);
    }
}
