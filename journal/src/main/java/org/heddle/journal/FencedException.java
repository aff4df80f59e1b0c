// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal;

import java.io.IOException;

/** Another process has become the leader of the log; this one must not write any more. */
public final class FencedException extends IOException {
    private static final long serialVersionUID = 1;

    public FencedException(String message) {
        super(message);
    }
}
