// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal;

import java.io.IOException;

/** The storage of a log does not answer, is still starting, or is full: what failed may work later; whoever can wait should. */
public final class UnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    public UnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
