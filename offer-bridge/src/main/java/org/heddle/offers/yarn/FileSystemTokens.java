// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.security.PrivilegedExceptionAction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.heddle.settings.Clocks;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delegation tokens with which the containers of each user read and write the cluster's file systems. New containers
 * get tokens that are not older than three quarters of their renewal interval. The tokens of older containers are
 * renewed until their maximum lifetime, which is 7 days by default in HDFS.
 */
final class FileSystemTokens {
    private static final Logger LOG = LoggerFactory.getLogger(FileSystemTokens.class);
    private static final double FRESH = 0.75;
    /** Hadoop renews for a day at a time; a longer time is the sign of a wall clock that is wrong. */
    private static final long LONGEST_MILLIS = 86_400_000;

    /** @param freshUntil time until which new containers may get these tokens, by the monotonic clock in ms */
    private record Issued(Credentials credentials, long freshUntil) {}

    private final Configuration conf;
    private final List<String> fileSystems;
    private final Clocks clocks;

    @GuardedBy("this")
    private final Map<String, Issued> latest = new HashMap<>();

    /** Tokens in use with the time of their next renewal. */
    @GuardedBy("this")
    private final Map<Token<?>, Long> renewals = new HashMap<>();

    /** @param fileSystems a path in each file system */
    FileSystemTokens(Configuration conf, List<String> fileSystems, Clocks clocks) {
        this.clocks = clocks;
        this.conf = conf;
        this.fileSystems = List.copyOf(fileSystems);
    }

    /**
     * The tokens for a new container; null if the cluster does not use Kerberos.
     *
     * @param user as which the container runs
     */
    synchronized @Nullable ByteBuffer of(UserGroupInformation user) throws IOException {
        if (!UserGroupInformation.isSecurityEnabled()) {
            return null;
        }
        Issued known = latest.get(user.getShortUserName());
        if (known == null || known.freshUntil() <= clocks.millis()) {
            known = issue(user);
            latest.put(user.getShortUserName(), known);
        }
        DataOutputBuffer bytes = new DataOutputBuffer();
        known.credentials().writeTokenStorageToStream(bytes);
        return ByteBuffer.wrap(bytes.getData(), 0, bytes.getLength());
    }

    @GuardedBy("this")
    private Issued issue(UserGroupInformation user) throws IOException {
        Credentials credentials = new Credentials();
        String renewer = UserGroupInformation.getLoginUser().getUserName();
        as(user, () -> {
            for (String path : fileSystems) {
                URI place = new Path(path).toUri();
                // Hadoop's cache would keep one for each user for ever.
                try (FileSystem opened = FileSystem.newInstance(
                        place.getScheme() == null ? FileSystem.getDefaultUri(conf) : place, conf)) {
                    opened.addDelegationTokens(renewer, credentials);
                }
            }
            return null;
        });
        long freshUntil = Long.MAX_VALUE;
        for (Token<? extends TokenIdentifier> token : credentials.getAllTokens()) {
            freshUntil = Math.min(freshUntil, renew(token));
        }
        LOG.info(
                "Got {} delegation tokens for containers of {}", credentials.numberOfTokens(), user.getShortUserName());
        return new Issued(credentials, freshUntil);
    }

    /** Renews the tokens that are due; called every few seconds. */
    synchronized void renewDue() {
        for (Map.Entry<Token<?>, Long> entry : Map.copyOf(renewals).entrySet()) {
            if (entry.getValue() <= clocks.millis()) {
                try {
                    renew(entry.getKey());
                } catch (SecretManager.InvalidToken e) {
                    LOG.info("A delegation token has reached its maximum lifetime: {}", e.getMessage());
                    renewals.remove(entry.getKey());
                } catch (IOException | RuntimeException e) {
                    LOG.warn("cannot renew a delegation token, will try again: {}", e.getMessage());
                }
            }
        }
    }

    /** Returns the time at which it should be renewed again. */
    @GuardedBy("this")
    private long renew(Token<?> token) throws IOException {
        long expires = as(UserGroupInformation.getLoginUser(), () -> token.renew(conf));
        long left = Math.min(LONGEST_MILLIS, Math.max(1, expires - clocks.date()));
        long next = clocks.millis() + (long) (FRESH * left);
        renewals.put(token, next);
        return next;
    }

    private static <T> T as(UserGroupInformation user, PrivilegedExceptionAction<T> action) throws IOException {
        try {
            return user.doAs(action);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
