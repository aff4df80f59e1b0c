// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.read;

import java.io.IOException;

/** A past that cannot be replayed. The message is one sentence for the user. */
public final class HistoryException extends IOException {
    private static final long serialVersionUID = 1;

    public HistoryException(String message) {
        super(message);
    }

    public HistoryException(String message, Throwable cause) {
        super(message, cause);
    }
}
