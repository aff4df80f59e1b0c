// SPDX-License-Identifier: Apache-2.0
package org.heddle.install;

/** Nothing was changed; the message is one sentence which says why and what to do. */
final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
        super(message);
    }
}
