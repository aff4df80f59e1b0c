// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.spark.SparkConf;

/**
 * Logs the driver in with {@code --principal} and {@code --keytab}. For YARN spark-submit does so itself, but it takes
 * the master {@code spark-offers://} for a standalone cluster, where it does not.
 */
final class KeytabLogin {
    private KeytabLogin() {}

    static void ensure(SparkConf conf) {
        String principal = conf.get("spark.kerberos.principal", "");
        String keytab = conf.get("spark.kerberos.keytab", "");
        if (principal.isEmpty() || keytab.isEmpty() || !UserGroupInformation.isSecurityEnabled()) {
            return;
        }
        try {
            if (!UserGroupInformation.getLoginUser().isFromKeytab()) {
                UserGroupInformation.loginUserFromKeytab(
                        principal, URI.create(keytab).getPath()); // a keytab may be local:/path
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "spark.kerberos.keytab = " + keytab + ": cannot log in as " + principal + ": " + e.getMessage(), e);
        }
    }
}
