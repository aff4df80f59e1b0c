// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.config;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.heddle.market.model.naming.AccountNames;
import org.heddle.market.security.RateLimits.Limits;
import org.heddle.settings.ConfigKey;

/**
 * The values of {@link WebKeys} in a configuration.
 *
 * @param masterKey empty if there is none
 * @param managed paths of accounts by the users that manage them
 * @param keepEndedKeys time for which ended keys are listed
 * @param secure whether the web server authenticates its callers (Kerberos)
 */
public record WebSettings(
        String masterKey,
        List<String> formerMasterKeys,
        Map<String, Set<String>> managed,
        boolean viewerForAll,
        boolean trustUserName,
        long windowMillis,
        long aheadMillis,
        Limits limits,
        Duration keepEndedKeys,
        boolean secure) {
    private static final String AUTHENTICATION_TYPE = "hadoop.http.authentication.type";

    /** @throws IllegalArgumentException one sentence naming the key, the value and what is valid */
    public static WebSettings read(Configuration conf) {
        return new WebSettings(
                secret(conf, WebKeys.MASTER_KEY),
                words(secret(conf, WebKeys.FORMER_MASTER_KEYS)),
                managed(WebKeys.MANAGERS.read(conf::get)),
                WebKeys.INSECURE_ROLE.read(conf::get).equals("viewer"),
                WebKeys.TRUST_USER_NAME.read(conf::get),
                WebKeys.SIGNATURE_WINDOW_MS.read(conf::get),
                WebKeys.SIGNATURE_AHEAD_MS.read(conf::get),
                new Limits(
                        WebKeys.REQUESTS_PER_ADDRESS.read(conf::get),
                        WebKeys.REQUESTS_PER_KEY.read(conf::get),
                        WebKeys.FAILURES_PER_ADDRESS.read(conf::get),
                        WebKeys.CHANGES_PER_ACCOUNT.read(conf::get),
                        WebKeys.KEYS_PER_OWNER.read(conf::get)),
                Duration.ofDays(WebKeys.KEEP_ENDED_KEYS_DAYS.read(conf::get)),
                !conf.get(AUTHENTICATION_TYPE, "simple").equals("simple"));
    }

    private static String secret(Configuration conf, ConfigKey<String> key) {
        try {
            char[] secret = conf.getPassword(key.name());
            return secret == null ? "" : new String(secret).strip();
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    key.name() + " cannot be read from the credential provider: " + e.getMessage(), e);
        }
    }

    private static List<String> words(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
    }

    private static Map<String, Set<String>> managed(String text) {
        Map<String, Set<String>> all = new TreeMap<>();
        for (String word : words(text)) {
            String[] pair = word.split("=", 2);
            if (pair.length != 2 || pair[0].isBlank() || pair[1].isBlank()) {
                throw new IllegalArgumentException(
                        WebKeys.MANAGERS.name() + " has '" + word + "', which must be USER=ACCOUNT");
            }
            all.computeIfAbsent(pair[0].strip(), any -> new TreeSet<>()).add(AccountNames.account(pair[1].strip()));
        }
        return all;
    }
}
