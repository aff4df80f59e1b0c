// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the process in with Kerberos if the cluster demands it, and keeps it logged in. */
@SuppressWarnings("FutureReturnValueIgnored") // the repeated task contains its own errors
public final class KerberosLogin {
    private static final Logger LOG = LoggerFactory.getLogger(KerberosLogin.class);

    /**
     * Hadoop gets a new ticket after 80 % of the old one's life, so this is short enough for tickets of a few minutes.
     */
    private static final long CHECK_SECONDS = 5;

    private KerberosLogin() {}

    /**
     * Logs in, for the whole process. Without Kerberos in the cluster's configuration nothing happens.
     *
     * @param principal with its host; empty for the ticket of the user that started the process
     * @param keytab file with the principal's key; empty exactly if the principal is
     * @throws IOException one sentence: the KDC refuses the key, there is no ticket, or no KDC
     */
    public static void login(Configuration conf, String principal, String keytab) throws IOException {
        UserGroupInformation.setConfiguration(conf);
        if (!UserGroupInformation.isSecurityEnabled()) {
            if (!principal.isEmpty()) {
                throw new IOException(
                        "heddle.bridge.kerberos.principal is set, but hadoop.security.authentication is not"
                                + " kerberos: is the cluster's core-site.xml on the class path (HADOOP_CONF_DIR)?");
            }
            return;
        }
        if (principal.isEmpty()) {
            if (!UserGroupInformation.getLoginUser().hasKerberosCredentials()) {
                throw new IOException(
                        "the cluster uses Kerberos (hadoop.security.authentication), and there is no ticket:"
                                + " set heddle.bridge.kerberos.principal and heddle.bridge.kerberos.keytab");
            }
            LOG.warn(
                    "The bridge uses a ticket of {} and stops working when it ends: set heddle.bridge.kerberos.principal"
                            + " and heddle.bridge.kerberos.keytab",
                    UserGroupInformation.getLoginUser().getUserName());
            return;
        }
        try {
            UserGroupInformation.loginUserFromKeytab(principal, keytab);
        } catch (IOException e) {
            throw new IOException(
                    "cannot log in as " + principal + " with heddle.bridge.kerberos.keytab = " + keytab + ": "
                            + rootMessage(e)
                            + "; look whether the KDC is reached and knows this key: kinit -kt " + keytab + " "
                            + principal,
                    e);
        }
        LOG.info("Logged in as {}", principal);
        ScheduledExecutorService thread =
                Executors.newSingleThreadScheduledExecutor(task -> YarnCluster.daemon("bridge-kerberos", task));
        thread.scheduleWithFixedDelay(KerberosLogin::renew, CHECK_SECONDS, CHECK_SECONDS, TimeUnit.SECONDS);
    }

    private static void renew() {
        try {
            UserGroupInformation.getLoginUser().checkTGTAndReloginFromKeytab();
        } catch (IOException | RuntimeException e) {
            LOG.warn("cannot get a new Kerberos ticket, will try again: {}", rootMessage(e));
        }
    }

    private static String rootMessage(Throwable error) {
        Throwable root = error;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }
}
