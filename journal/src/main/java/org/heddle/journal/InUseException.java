// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal;

import java.io.IOException;

/** Another process has locked the directory of the log. */
public final class InUseException extends IOException {
    private static final long serialVersionUID = 1;

    public InUseException(String message) {
        super(message);
    }
}
