// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.kerby.kerberos.kerb.crypto.EncryptionHandler;
import org.apache.kerby.kerberos.kerb.keytab.Keytab;
import org.apache.kerby.kerberos.kerb.keytab.KeytabEntry;
import org.apache.kerby.kerberos.kerb.type.KerberosTime;
import org.apache.kerby.kerberos.kerb.type.base.EncryptionType;
import org.apache.kerby.kerberos.kerb.type.base.PrincipalName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A keytab that cannot be used ends the start of a bridge with one sentence: setting, file, principal and the way out.
 */
class KeytabFileTest {
    @TempDir
    Path directory;

    private static void write(Path file, String principal) throws Exception {
        Keytab keys = new Keytab();
        keys.addEntry(new KeytabEntry(
                new PrincipalName(principal),
                new KerberosTime(),
                1,
                EncryptionHandler.string2Key(principal, "secret", EncryptionType.AES256_CTS_HMAC_SHA1_96)));
        keys.store(file.toFile());
    }

    private static void assertRefused(String kind, String principal, Path keytab, String... words) {
        List<String> definitions = List.of(
                "heddle.bridge." + kind + ".principal=" + principal, "heddle.bridge." + kind + ".keytab=" + keytab);
        assertThatThrownBy(() -> SiteFiles.startBridge(List.of(), definitions))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("heddle.bridge." + kind + ".keytab = " + keytab + ": ")
                .hasMessageContaining(" (heddle.bridge." + kind + ".principal)")
                .hasMessageContainingAll(words)
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"kerberos", "spnego"})
    void aKeytabThatIsNotThereIsSaid(String kind) throws IOException {
        String host = InetAddress.getLocalHost().getCanonicalHostName().toLowerCase(java.util.Locale.ROOT);
        Path none = directory.resolve("none.keytab");
        assertRefused(
                kind, "bridge/_HOST@EXAMPLE.ORG", none, "there is no such file", "bridge/" + host + "@EXAMPLE.ORG");
        assertRefused(kind, "bridge/h@EXAMPLE.ORG", directory, "cannot read it", "mode 600");
    }

    @ParameterizedTest
    @ValueSource(strings = {"kerberos", "spnego"})
    void aKeytabWithoutThePrincipalIsSaid(String kind) throws Exception {
        Path other = directory.resolve("other.keytab");
        write(other, "other/h@EXAMPLE.ORG");
        assertRefused(kind, "bridge/h@EXAMPLE.ORG", other, "has no key of bridge/h@EXAMPLE.ORG", "klist -ket " + other);
        Path garbage = Files.writeString(directory.resolve("garbage.keytab"), "no keytab");
        assertRefused(kind, "bridge/h@EXAMPLE.ORG", garbage, "has no key of bridge/h@EXAMPLE.ORG");
    }

    @Test
    void aKeytabThatMayNotBeReadIsSaid() throws Exception {
        assumeFalse(System.getProperty("user.name").equals("root"), "root may read every file");
        Path file = directory.resolve("bridge.keytab");
        write(file, "bridge/h@EXAMPLE.ORG");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
        assertRefused("kerberos", "bridge/h@EXAMPLE.ORG", file, "cannot read it", "mode 600");
    }

    @Test
    void aKeytabWithThePrincipalIsTaken() throws Exception {
        Path file = directory.resolve("bridge.keytab");
        write(file, "bridge/h@EXAMPLE.ORG");
        Configuration conf = new Configuration(false);
        conf.set("heddle.bridge.kerberos.principal", "bridge/h@EXAMPLE.ORG");
        conf.set("heddle.bridge.kerberos.keytab", file.toString());
        assertThat(BridgeSettingsReader.read(conf).kerberos().principal()).isEqualTo("bridge/h@EXAMPLE.ORG");
    }
}
