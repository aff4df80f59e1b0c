// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The principals that may connect, and the users as which their frameworks may run: a file for HTTP Basic
 * authentication, which has only hashes of secrets ({@code heddle bridge --add-principal} prints a line of it), and
 * Kerberos tickets. A user with a ticket who is not in the file may run frameworks as himself.
 *
 * <pre>
 * heddle-credentials 1
 * principal pbkdf2-sha256:iterations:salt:hash user,user|*
 * user kerberos user,user|*
 * </pre>
 */
public final class Credentials {
    private static final String HEADER = "heddle-credentials 1";
    private static final String KIND = "pbkdf2-sha256";
    private static final String TICKET = "kerberos";
    private static final int ITERATIONS = 210_000;
    private static final int HASH_BITS = 256;
    private static final int SALT_BYTES = 16;
    /** Longest time that a secret waits to be checked, which takes about 100 ms, in ms. */
    private static final long LONGEST_WAIT = 30_000;
    /** Groups of principals of one client that take turns. */
    private static final int GROUPS = 8;

    private record Entry(int iterations, byte[] salt, byte[] hash, Set<String> users) {}

    private final Map<String, Entry> entries;
    private final @Nullable Spnego spnego;
    /** HMACs of accepted headers, so that the slow hash is computed once for each principal. */
    private final Map<String, byte[]> proven = new ConcurrentHashMap<>();
    /** The key of these HMACs: new in each process, and in its memory only. */
    private final byte[] digestKey = random(HASH_BITS / 8);
    /** Compared with the secrets of unknown principals, so that they take the same time. */
    private final Entry nobody;
    /** One thread: wrong secrets use one core at most, and never the threads of the network. */
    private final FairQueue checks;

    private Credentials(Map<String, Entry> entries, @Nullable Spnego spnego) {
        this.entries = Map.copyOf(entries);
        this.nobody = new Entry(
                entries.values().stream().mapToInt(Entry::iterations).max().orElse(ITERATIONS),
                random(SALT_BYTES),
                random(HASH_BITS / 8),
                Set.of());
        this.spnego = spnego;
        ThreadPoolExecutor thread =
                new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread made = new Thread(task, "bridge-secrets");
                    made.setDaemon(true);
                    return made;
                });
        thread.allowCoreThreadTimeOut(true);
        this.checks = new FairQueue(thread, LONGEST_WAIT);
    }

    /** No principals and secrets: clients need tickets. */
    public static Credentials ofTickets(Spnego spnego) {
        return new Credentials(Map.of(), spnego);
    }

    /** These principals and secrets, and also tickets. */
    public Credentials withTickets(Spnego tickets) {
        return new Credentials(entries, tickets);
    }

    boolean acceptTickets() {
        return spnego != null;
    }

    private static byte[] random(int bytes) {
        byte[] made = new byte[bytes];
        new SecureRandom().nextBytes(made);
        return made;
    }

    /**
     * Reads the file.
     *
     * @throws IOException one sentence: the file is missing, other users can read it, or a line is wrong
     */
    public static Credentials read(Path file) throws IOException {
        Set<PosixFilePermission> permissions;
        List<String> lines;
        try {
            permissions = Files.getPosixFilePermissions(file);
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw new IOException("credentials file " + file + " cannot be read (" + e + ")", e);
        }
        if (permissions.contains(PosixFilePermission.OTHERS_READ)
                || permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new IOException("credentials file " + file + " can be read or changed by other users: chmod 600 it");
        }
        if (lines.isEmpty() || !lines.get(0).strip().equals(HEADER)) {
            throw new IOException("credentials file " + file + ": the first line must be '" + HEADER + "'");
        }
        Map<String, Entry> entries = new HashMap<>();
        for (int i = 1; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                try {
                    String[] words = line.split("\\s+", -1);
                    if (words.length == 3 && words[1].equals(TICKET)) {
                        // A secret that nobody knows.
                        entries.put(words[0], unknown(Set.of(words[2].split(",", -1))));
                        continue;
                    }
                    String[] secret = words[1].split(":", -1);
                    if (words.length != 3 || !secret[0].equals(KIND)) {
                        throw new IllegalArgumentException(line);
                    }
                    entries.put(
                            words[0],
                            new Entry(
                                    Integer.parseInt(secret[1]),
                                    Base64.getDecoder().decode(secret[2]),
                                    Base64.getDecoder().decode(secret[3]),
                                    Set.of(words[2].split(",", -1))));
                } catch (RuntimeException e) {
                    throw new IOException(
                            "credentials file " + file + ", line " + (i + 1) + ": want 'principal " + KIND
                                    + ":iterations:salt:hash users', as heddle bridge --add-principal prints it",
                            e);
                }
            }
        }
        return new Credentials(entries, null);
    }

    private static Entry unknown(Set<String> users) {
        return new Entry(ITERATIONS, random(SALT_BYTES), random(HASH_BITS / 8), users);
    }

    /** A line for the file. */
    public static String line(String principal, char[] secret, String users) {
        byte[] salt = random(SALT_BYTES);
        Base64.Encoder base64 = Base64.getEncoder();
        return principal + " " + KIND + ":" + ITERATIONS + ":" + base64.encodeToString(salt) + ":"
                + base64.encodeToString(hash(secret, salt, ITERATIONS)) + " " + users;
    }

    private static byte[] hash(char[] secret, byte[] salt, int iterations) {
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(new PBEKeySpec(secret, salt, iterations, HASH_BITS))
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no PBKDF2", e);
        }
    }

    private record Pair(String principal, String secret, byte[] digest) {}

    private @Nullable Pair pair(@Nullable String header) {
        if (header == null || !header.regionMatches(true, 0, "Basic ", 0, 6)) {
            return null;
        }
        String pair;
        try {
            pair = new String(Base64.getDecoder().decode(header.substring(6).strip()), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
        int colon = pair.indexOf(':');
        return colon < 0 ? null : new Pair(pair.substring(0, colon), pair.substring(colon + 1), digest(pair));
    }

    /**
     * The principal that an {@code Authorization} header proves, if the same header has been proven before; else null.
     * Fast.
     */
    @Nullable
    String proven(@Nullable String header) {
        Pair pair = pair(header);
        return pair != null && MessageDigest.isEqual(pair.digest, proven.get(pair.principal)) ? pair.principal : null;
    }

    /**
     * The principal that an {@code Authorization} header proves, or null; computed in a thread of its own. A principal
     * that is not in the file takes as long as a wrong secret. Clients take turns, and of one client its principals:
     * wrong secrets of one do not keep out another. Fails with a TimeoutException if too many wait.
     *
     * @param client the address of the client
     */
    CompletableFuture<@Nullable String> prove(@Nullable String header, String client) {
        Spnego tickets = spnego;
        Pair pair = pair(header);
        if (tickets != null && header != null && Spnego.isNegotiate(header)) {
            return checks.submit(client, () -> tickets.prove(header));
        }
        if (pair == null) {
            return CompletableFuture.completedFuture(null);
        }
        // By a hash, so that invented principals are few groups, and nobody sees which ones the file has.
        int group = Math.floorMod(digest(pair.principal)[0], GROUPS);
        return checks.submit(client + "/" + group, () -> prove(pair));
    }

    private Entry compared(String principal) {
        return entries.getOrDefault(principal, nobody);
    }

    /** Iterations that a check of this principal's secret takes. */
    int iterations(String principal) {
        return compared(principal).iterations();
    }

    private @Nullable String prove(Pair pair) {
        if (MessageDigest.isEqual(pair.digest, proven.get(pair.principal))) {
            return pair.principal;
        }
        Entry entry = entries.get(pair.principal);
        Entry compared = compared(pair.principal);
        boolean equal = MessageDigest.isEqual(
                hash(pair.secret.toCharArray(), compared.salt, compared.iterations), compared.hash);
        if (entry == null || !equal) {
            return null;
        }
        proven.put(pair.principal, pair.digest);
        return pair.principal;
    }

    private byte[] digest(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(digestKey, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no HMAC-SHA256", e);
        }
    }

    /**
     * The principal whose frameworks this principal may see: itself, or empty for all frameworks if it may run as
     * every user.
     */
    String view(String principal) {
        Entry entry = entries.get(principal);
        return entry != null && entry.users.contains("*") ? "" : principal;
    }

    /** Whether the principal's frameworks may run as that user. */
    boolean mayRunAs(String principal, String user) {
        Entry entry = entries.get(principal);
        if (entry == null) {
            return spnego != null && user.equals(principal);
        }
        return entry.users.contains("*") || entry.users.contains(user);
    }
}
