// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.heddle.testkit.Await;
import org.heddle.testkit.machine.SystemPackage;

/** A Kerberos realm with its own key distribution centre, MIT's from the system's packages, and with users' tickets. */
final class Realm implements AutoCloseable {
    static final String NAME = "EXAMPLE.COM";
    private static final int PORT = 23_088;

    private final Path directory;
    private final Daemon center;

    /** @param address of the key distribution centre */
    Realm(Path directory, String address) throws IOException {
        this.directory = directory;
        SystemPackage.require("kdb5_util", "krb5-kdc");
        SystemPackage.require("kadmin.local", "krb5-admin-server");
        SystemPackage.require("kinit", "krb5-user");
        SystemPackage.require("curl");
        Files.writeString(configuration(), """
                [libdefaults]
                  default_realm = %s
                  dns_lookup_kdc = false
                  dns_lookup_realm = false
                  dns_canonicalize_hostname = false
                  rdns = false
                  udp_preference_limit = 1
                [realms]
                  %s = {
                    kdc = %s:%d
                  }
                """.formatted(NAME, NAME, address, PORT));
        Files.writeString(directory.resolve("kdc.conf"), """
                [realms]
                  %s = {
                    database_name = %s
                    key_stash_file = %s
                    acl_file = %s
                    kdc_listen = %s:%d
                    kdc_tcp_listen = %s:%d
                  }
                """.formatted(
                        NAME,
                        directory.resolve("principals"),
                        directory.resolve("stash"),
                        directory.resolve("acl"),
                        address,
                        PORT,
                        address,
                        PORT));
        administer("kdb5_util", "create", "-s", "-P", "a password of this test");
        center = administration("krb5kdc", "-n").start("kdc", directory.resolve("kdc.log"));
        Await.until(
                "the key distribution centre",
                SharedCluster.PATIENCE,
                () -> center.output().contains("starting"),
                center::tail);
    }

    private Path configuration() {
        return directory.resolve("krb5.conf");
    }

    private Command administration(Object... words) {
        return Command.of(words)
                .with("KRB5_CONFIG", configuration())
                .with("KRB5_KDC_PROFILE", directory.resolve("kdc.conf"));
    }

    private void administer(Object... words) throws IOException {
        administration(words).run().orFail();
    }

    /** Creates principals and writes their keys into a keytab. */
    void add(Path keytab, String... principals) throws IOException {
        for (String principal : principals) {
            administer("kadmin.local", "-r", NAME, "addprinc", "-randkey", principal);
            administer("kadmin.local", "-r", NAME, "ktadd", "-k", keytab, principal);
        }
    }

    /** Variables of a process with tickets of its own. */
    Map<String, String> environment(String cache) {
        return Map.of(
                "KRB5_CONFIG", configuration().toString(),
                "KRB5CCNAME", directory.resolve(cache + ".cache").toString(),
                "JAVA_TOOL_OPTIONS", javaOption());
    }

    /** What tells a Java where the realm is. */
    String javaOption() {
        return "-Djava.security.krb5.conf=" + configuration();
    }

    @Override
    public void close() {
        center.close();
    }
}
