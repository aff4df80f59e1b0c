// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.book;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.heddle.market.model.change.AuditEntry;

/**
 * The hash chain over all requested changes. The hash of an entry is SHA-256 over the hash of the entry before and its
 * own fields. Each field is preceded by its length, so that two different entries never have the same bytes.
 */
public final class AuditChain {
    /** The hash before the first entry. */
    public static final String FIRST = "0".repeat(64);

    /** The details that identify and answer a repeated request. */
    public static final String KEY = "idempotency-key";

    public static final String FINGERPRINT = "request";
    public static final String BALANCE = "balance";
    public static final String EFFECTIVE = "effective-epoch";

    private AuditChain() {}

    public static AuditEntry next(
            long sequence,
            String previousHash,
            Instant at,
            String principal,
            String origin,
            String action,
            String target,
            Map<String, String> details) {
        AuditEntry open = new AuditEntry(sequence, at, principal, origin, action, target, details, previousHash, "");
        return new AuditEntry(sequence, at, principal, origin, action, target, details, previousHash, hash(open));
    }

    /**
     * Checks that an entry follows another one.
     *
     * @throws LedgerException if it does not
     */
    static void check(AuditEntry entry, long sequenceBefore, String hashBefore) {
        if (entry.sequence() != sequenceBefore + 1 || !entry.previousHash().equals(hashBefore)) {
            throw new LedgerException("audit entry " + entry.sequence() + " does not follow entry " + sequenceBefore
                    + ": the chain is broken");
        }
        if (!hash(entry).equals(entry.hash())) {
            throw new LedgerException("audit entry " + entry.sequence() + " was changed: its hash does not match");
        }
    }

    /**
     * Checks consecutive entries, oldest first.
     *
     * @return the sequence of the first entry that does not follow; 0 if all do
     */
    public static long firstBroken(List<AuditEntry> entries) {
        for (int i = 0; i < entries.size(); i++) {
            AuditEntry entry = entries.get(i);
            boolean follows = i == 0
                    || (entry.sequence() == entries.get(i - 1).sequence() + 1
                            && entry.previousHash().equals(entries.get(i - 1).hash()));
            if (!follows || !hash(entry).equals(entry.hash())) {
                return entry.sequence();
            }
        }
        return 0;
    }

    static String hash(AuditEntry entry) {
        MessageDigest sha = sha256();
        add(sha, entry.previousHash());
        add(sha, Long.toString(entry.sequence()));
        add(sha, Long.toString(entry.at().toEpochMilli()));
        add(sha, entry.principal());
        add(sha, entry.origin());
        add(sha, entry.action());
        add(sha, entry.target());
        entry.details().forEach((name, value) -> {
            add(sha, name);
            add(sha, value);
        });
        return HexFormat.of().formatHex(sha.digest());
    }

    /** A short hash of a request, which identifies its content. */
    public static String fingerprint(String... parts) {
        MessageDigest sha = sha256();
        for (String part : parts) {
            add(sha, part);
        }
        return HexFormat.of().formatHex(sha.digest(), 0, 16);
    }

    private static void add(MessageDigest sha, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        sha.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
        sha.update(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
