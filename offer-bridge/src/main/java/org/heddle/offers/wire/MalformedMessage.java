// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.wire;

import java.io.IOException;

/** A body that is not a valid message; the text is one sentence for the client. */
public final class MalformedMessage extends IOException {
    private static final long serialVersionUID = 1L;

    public MalformedMessage(String message) {
        super(message);
    }
}
