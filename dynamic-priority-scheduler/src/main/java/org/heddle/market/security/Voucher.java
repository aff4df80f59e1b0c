// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The right to submit one application to one account's queue as one user, until some time: an application tag with a
 * signature by a user who may spend the account's credits. Other users can see tags, so a tag reveals nothing that
 * could be used again: account and user are signed but not contained, and a voucher is valid once.
 *
 * <p>YARN allows 100 lower-case ASCII characters in a tag. Version 1 is {@code heddle-voucher-1-} and, in base 32, 8
 * bytes that identify the key, 5 bytes of the expiry time (seconds since 1970), 10 random bytes, and 16 bytes of an
 * HMAC-SHA256.
 */
public final class Voucher {
    /** The beginning of every voucher, whatever its version. */
    public static final String PREFIX = "heddle-voucher-";

    private static final String VERSION = "1-";
    private static final String CONTEXT = "heddle-voucher/1";
    private static final int KEY_BYTES = 8;
    private static final int TIME_BYTES = 5;
    private static final int NONCE_BYTES = 10;
    private static final int MAC_BYTES = 16;
    private static final int BYTES = KEY_BYTES + TIME_BYTES + NONCE_BYTES + MAC_BYTES;
    private static final long LAST_TIME = (1L << (TIME_BYTES * Byte.SIZE)) - 1;

    private final byte[] bytes;

    private Voucher(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The permitted use of a voucher. */
    public record Use(String clusterId, String account, String user) {}

    /**
     * Creates a voucher.
     *
     * @param expiresSeconds time of expiry, seconds since 1970
     * @return the tag
     */
    public static String issue(Use use, String keyId, byte[] secret, long expiresSeconds, SecureRandom random) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        ByteBuffer all = ByteBuffer.allocate(BYTES);
        all.put(hint(keyId));
        long time = Math.min(LAST_TIME, expiresSeconds);
        all.put(ByteBuffer.allocate(Long.BYTES).putLong(0, time).array(), Long.BYTES - TIME_BYTES, TIME_BYTES);
        all.put(nonce);
        all.put(mac(use, keyId, secret, Arrays.copyOf(all.array(), BYTES - MAC_BYTES)));
        return PREFIX + VERSION + Base32.write(all.array());
    }

    /** The first voucher among an application's tags; null if there is none. */
    public static @Nullable String among(Collection<String> tags) {
        return tags.stream()
                .filter(tag -> tag.startsWith(PREFIX))
                .sorted()
                .findFirst()
                .orElse(null);
    }

    /**
     * Parses a tag.
     *
     * @throws RefusedException one sentence, if it is not a voucher of this version
     */
    public static Voucher read(String tag) throws RefusedException {
        if (!tag.startsWith(PREFIX + VERSION)) {
            throw RefusedException.badRequest(
                    "the voucher has a version that is unknown to this cluster; create one with"
                            + " the heddle market command of the cluster's Heddle version");
        }
        byte[] bytes;
        try {
            bytes = Base32.read(tag.substring((PREFIX + VERSION).length()));
        } catch (IllegalArgumentException e) {
            throw damaged();
        }
        if (bytes.length != BYTES) {
            throw damaged();
        }
        return new Voucher(bytes);
    }

    private static RefusedException damaged() {
        return RefusedException.badRequest("the voucher is incomplete; use the tag exactly as the command printed it");
    }

    private static byte[] hint(String keyId) {
        return Arrays.copyOf(Hashes.digest("SHA-256", keyId.getBytes(StandardCharsets.UTF_8)), KEY_BYTES);
    }

    /** Whether the voucher may be signed with a key of this id. */
    boolean isOf(String keyId) {
        return Arrays.equals(hint(keyId), Arrays.copyOf(bytes, KEY_BYTES));
    }

    /** Time of expiry, seconds since 1970. */
    public long expiresSeconds() {
        long time = 0;
        for (int i = 0; i < TIME_BYTES; i++) {
            time = (time << Byte.SIZE) | (bytes[KEY_BYTES + i] & 0xFF);
        }
        return time;
    }

    /** Its id for the record of its use; it reveals nothing about the voucher. */
    public String id() {
        byte[] hash = Hashes.digest("SHA-256", bytes);
        return HexFormat.of().formatHex(hash, 0, NONCE_BYTES);
    }

    /** Whether the voucher was made for this use with this key; takes constant time. */
    boolean isFor(Use use, String keyId, byte[] secret) {
        byte[] signed = Arrays.copyOf(bytes, BYTES - MAC_BYTES);
        return MessageDigest.isEqual(
                mac(use, keyId, secret, signed), Arrays.copyOfRange(bytes, BYTES - MAC_BYTES, BYTES));
    }

    /** The texts contain no line ends, so that two different inputs never have the same bytes. */
    private static byte[] mac(Use use, String keyId, byte[] secret, byte[] signed) {
        String text = String.join(
                "\n",
                CONTEXT,
                use.clusterId(),
                keyId,
                use.account(),
                use.user(),
                HexFormat.of().formatHex(signed));
        return Arrays.copyOf(Hashes.hmacSha256(secret, text.getBytes(StandardCharsets.UTF_8)), MAC_BYTES);
    }
}
