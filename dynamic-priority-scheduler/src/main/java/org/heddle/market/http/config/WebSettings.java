// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.config;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.heddle.settings.ConfigKey;

/**
 * The values of {@link WebKeys} in a configuration.
 *
 * @param masterKey empty if there is none
 * @param secure whether the web server authenticates its callers (Kerberos)
 */
public record WebSettings(String masterKey, List<String> formerMasterKeys, boolean viewerForAll, boolean secure) {
    private static final String AUTHENTICATION_TYPE = "hadoop.http.authentication.type";

    /** @throws IllegalArgumentException one sentence naming the key, the value and what is valid */
    public static WebSettings read(Configuration conf) {
        return new WebSettings(
                secret(conf, WebKeys.MASTER_KEY),
                words(secret(conf, WebKeys.FORMER_MASTER_KEYS)),
                WebKeys.INSECURE_ROLE.read(conf::get).equals("viewer"),
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
}
