// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Map;
import org.greenbytes.http.sfv.ByteSequenceItem;
import org.greenbytes.http.sfv.Dictionary;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.ParseException;
import org.greenbytes.http.sfv.Parser;

/** The Content-Digest field (RFC 9530): a hash of the body inside the signed part of the request. */
final class ContentDigest {
    static final String FIELD = "content-digest";
    private static final Map<String, String> ALGORITHMS = Map.of("sha-256", "SHA-256", "sha-512", "SHA-512");

    private ContentDigest() {}

    /** The value of the field for a body. */
    static String of(byte[] body) {
        return Dictionary.valueOf(Map.of("sha-256", ByteSequenceItem.valueOf(Hashes.digest("SHA-256", body))))
                .serialize();
    }

    /**
     * Checks the digests of the field: each known one must match the body, and there must be one.
     *
     * @throws RefusedException (400) otherwise
     */
    static void check(String field, byte[] body) throws RefusedException {
        Map<String, ListElement<?>> digests;
        try {
            digests = Parser.parseDictionary(field).get();
        } catch (ParseException e) {
            throw RefusedException.badRequest("the Content-Digest field cannot be read; send sha-256=:BASE64:");
        }
        boolean known = false;
        for (Map.Entry<String, ListElement<?>> digest : digests.entrySet()) {
            String algorithm = ALGORITHMS.get(digest.getKey());
            if (algorithm == null) {
                continue;
            }
            known = true;
            if (!(digest.getValue().get() instanceof ByteBuffer bytes)
                    || !MessageDigest.isEqual(Hashes.digest(algorithm, body), bytes(bytes))) {
                throw RefusedException.of(
                        RefusedException.Kind.BAD_REQUEST,
                        "digest-mismatch",
                        "the body does not match the Content-Digest field; it was changed or is incomplete");
            }
        }
        if (!known) {
            throw RefusedException.badRequest(
                    "the Content-Digest field has neither sha-256 nor sha-512; send one of them");
        }
    }

    static byte[] bytes(ByteBuffer buffer) {
        ByteBuffer copy = buffer.duplicate();
        byte[] bytes = new byte[copy.remaining()];
        copy.get(bytes);
        return bytes;
    }
}
