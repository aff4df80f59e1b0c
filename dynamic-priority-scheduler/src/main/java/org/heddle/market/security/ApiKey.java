// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A key that signs requests, without its secret: the secret is derived from this and the cluster's master key ({@link
 * MasterKeys}), so ledgers and backups contain none.
 *
 * @param owner user whose requests it signs
 * @param number 1, 2, .. for each owner; never used twice
 * @param cap the largest role of the key, whatever the roles of its owner
 * @param salt random, 22 characters
 * @param master id of the master key of the secret
 * @param createdMillis time of creation
 * @param notAfterMillis time of expiry; {@link Long#MAX_VALUE} for never
 * @param revokedMillis time of revocation; 0 if it was not revoked
 */
public record ApiKey(
        String owner,
        int number,
        Role cap,
        String salt,
        String master,
        long createdMillis,
        long notAfterMillis,
        long revokedMillis) {
    /** Kind of the key records. */
    public static final String KIND = "api-key";

    /** Before the name of the account that a key belongs to, instead of a user. */
    private static final String OF_ACCOUNT = "account:";

    private static final String VERSION = "1";
    private static final Pattern OWNER = Pattern.compile("(" + OF_ACCOUNT + ")?[A-Za-z0-9_][A-Za-z0-9_.@-]{0,127}");

    public ApiKey {
        if (!isOwner(owner)) {
            throw new IllegalArgumentException("'" + owner + "' cannot have keys; names of key owners have 1 to 128"
                    + " characters out of A-Z a-z 0-9 _ . @ -");
        }
        if (number < 1) {
            throw new IllegalArgumentException("a key cannot have the number " + number + "; they begin with 1");
        }
    }

    /** Whether a user of this name can have keys. */
    public static boolean isOwner(String name) {
        return OWNER.matcher(name).matches();
    }

    /** Whether keys of this owner belong to an account: programs use them, and they serve that account alone. */
    public static boolean isOfAccount(String owner) {
        return owner.startsWith(OF_ACCOUNT);
    }

    /** The account of {@link #isOfAccount}. */
    public static String account(String owner) {
        return owner.substring(OF_ACCOUNT.length());
    }

    /** The {@code keyid}, for example {@code alice/2}. */
    public String id() {
        return owner + "/" + number;
    }

    public boolean isLive(long nowMillis) {
        return revokedMillis == 0 && nowMillis < notAfterMillis;
    }

    /** Time of revocation or expiry; {@link Long#MAX_VALUE} if it never expires. */
    long endMillis() {
        return revokedMillis == 0 ? notAfterMillis : Math.min(revokedMillis, notAfterMillis);
    }

    ApiKey revokedAt(long millis) {
        return new ApiKey(owner, number, cap, salt, master, createdMillis, notAfterMillis, millis);
    }

    ApiKey endingAt(long millis) {
        return new ApiKey(
                owner, number, cap, salt, master, createdMillis, Math.min(notAfterMillis, millis), revokedMillis);
    }

    /** Its form in the ledger: version, then fields with blanks between them. */
    public String content() {
        return String.join(
                " ",
                VERSION,
                cap.word(),
                salt,
                master,
                Long.toString(createdMillis),
                Long.toString(notAfterMillis),
                Long.toString(revokedMillis));
    }

    /**
     * Parses {@link #content}.
     *
     * @throws IllegalArgumentException one sentence, if it has another version or is incomplete
     */
    public static ApiKey parse(String id, String content) {
        String[] field = content.split(" ", -1);
        int slash = id.lastIndexOf('/');
        if (!field[0].equals(VERSION)) {
            throw new IllegalArgumentException("the key " + id + " has the format '" + field[0]
                    + "', which is unknown to this version (known: " + VERSION
                    + "); start the version that wrote it");
        }
        try {
            return new ApiKey(
                    id.substring(0, slash),
                    Integer.parseInt(id.substring(slash + 1)),
                    Role.valueOf(field[1].toUpperCase(Locale.ROOT)),
                    field[2],
                    field[3],
                    Long.parseLong(field[4]),
                    Long.parseLong(field[5]),
                    Long.parseLong(field[6]));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("the record of the key " + id + " is damaged", e);
        }
    }
}
