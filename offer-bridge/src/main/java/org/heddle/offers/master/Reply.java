// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

/** The answer to a call: an HTTP status and, if it is a refusal, one sentence. */
@FunctionalInterface
public interface Reply {
    void answer(int status, String message);
}
