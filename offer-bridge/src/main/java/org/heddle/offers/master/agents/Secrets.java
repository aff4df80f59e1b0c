// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.agents;

import java.security.SecureRandom;
import java.util.Base64;

/** Random secrets with which agents authenticate. */
final class Secrets {
    private static final SecureRandom RANDOM = new SecureRandom();

    private Secrets() {}

    /** A secret of 192 random bits, in URL-safe Base64. */
    static String next() {
        byte[] bytes = new byte[24];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
