// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cluster's master keys: the present one, from which the secrets of new keys are derived, and former ones whose
 * keys are still valid. Anybody with a master key can sign for any user.
 */
public final class MasterKeys {
    /** Shortest master key: 256 bits. */
    public static final int BYTES = 32;

    private static final String CONTEXT = "heddle-market/1";

    private record Master(String id, byte[] bytes) {}

    private final String clusterId;
    private final List<Master> masters = new ArrayList<>();

    /**
     * @param clusterId a key of one cluster is not valid in another one, even with the same master key
     * @param present in base64 or base64url
     * @param former likewise
     * @throws IllegalArgumentException one sentence, without the key, if one is too short or not base64
     */
    public MasterKeys(String clusterId, String present, List<String> former) {
        this.clusterId = clusterId;
        masters.add(master(present));
        former.forEach(text -> masters.add(master(text)));
    }

    private static Master master(String text) {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder()
                    .decode(text.strip().replace('+', '-').replace('/', '_').replace("=", ""));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the market's master key is not base64; make one with" + " 'openssl rand -base64 32'");
        }
        if (bytes.length < BYTES) {
            throw new IllegalArgumentException("the market's master key has " + bytes.length
                    + " bytes, which is too short;" + " make one with 'openssl rand -base64 32'");
        }
        byte[] id = Hashes.hmacSha256(bytes, ascii(CONTEXT + " id"));
        return new Master(HexFormat.of().formatHex(id, 0, 4), bytes);
    }

    /** Id of the present master key, for new keys. */
    public String presentId() {
        return masters.get(0).id();
    }

    /** The secret of a key, 32 bytes; null if its master key is unknown. */
    public byte @Nullable [] secret(ApiKey key) {
        for (Master master : masters) {
            if (master.id().equals(key.master())) {
                String context = String.join("\n", CONTEXT + " key", clusterId, key.id(), key.salt());
                return Hashes.hmacSha256(master.bytes(), ascii(context));
            }
        }
        return null;
    }

    /** The form of a secret for users and key files: base64url. */
    public static String text(byte[] secret) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    }

    /** @throws IllegalArgumentException if the text is not base64url */
    public static byte[] bytes(String text) {
        return Base64.getUrlDecoder().decode(text.strip());
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
