// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Hash and HMAC functions without checked exceptions. */
public final class Hashes {
    private Hashes() {}

    static byte[] hmacSha256(byte[] key, byte[] data) {
        return hmac("HmacSHA256", key, data);
    }

    /** Only for the API of the paper. */
    public static byte[] hmacSha1(byte[] key, byte[] data) {
        return hmac("HmacSHA1", key, data);
    }

    static byte[] digest(String algorithm, byte[] data) {
        try {
            return MessageDigest.getInstance(algorithm).digest(data);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no " + algorithm, e);
        }
    }

    private static byte[] hmac(String algorithm, byte[] key, byte[] data) {
        try {
            Mac mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(key, algorithm));
            return mac.doFinal(data);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no " + algorithm, e);
        }
    }
}
