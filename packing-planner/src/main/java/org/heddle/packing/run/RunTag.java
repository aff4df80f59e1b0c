// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** The YARN application tags of a run: lower case, because YARN converts them, and at most 100 characters. */
final class RunTag {
    private static final int DIGEST_BYTES = 6;

    private RunTag() {}

    /** Tag of all jobs of a run. */
    static String run(String runId) {
        return "heddle-pack:" + runId.toLowerCase(Locale.ROOT);
    }

    /** Tag of one job: the same however often it is started, and whatever plan it is part of. */
    static String job(String runId, String job) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(job.getBytes(StandardCharsets.UTF_8));
            return runId.toLowerCase(Locale.ROOT) + "-" + HexFormat.of().formatHex(hash, 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
