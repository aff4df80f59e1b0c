// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BridgeKeysTest {
    @Test
    void theDefaultsAreValid() {
        BridgeSettings settings = BridgeKeys.read(new Configuration(false));
        assertThat(settings.http().getPort()).isEqualTo(5050);
        assertThat(settings.limits().offerMillis()).isEqualTo(60_000);
    }

    @Test
    void theSampleIsValid() {
        Configuration conf = new Configuration(false);
        conf.addResource(new org.apache.hadoop.fs.Path(
                Path.of("../conf-samples/offers/offer-bridge.xml").toUri()));
        BridgeSettings settings = BridgeKeys.read(conf);
        assertThat(settings.limits().minimumOffer().memMb()).isEqualTo(256);
        assertThat(settings.yarn().queues()).containsEntry("prod", "root.production");
    }

    @Test
    void theSampleForStandbysIsValidOnceItsFilesAreThere() {
        Configuration conf = new Configuration(false);
        conf.addResource(new org.apache.hadoop.fs.Path(
                Path.of("../conf-samples/offers/standby.xml").toUri()));
        assertThatThrownBy(() -> BridgeKeys.read(conf)).hasMessageContaining("/etc/heddle/principals cannot be read");
        for (String key : List.of("auth.file", "tls.keystore", "tls.password.file")) {
            conf.set("heddle.bridge." + key, "");
        }
        assertThatThrownBy(() -> BridgeKeys.read(conf)).hasMessageContaining("needs heddle.bridge.auth.file");
        conf.set("heddle.bridge.http.address", "127.0.0.1:5050");
        conf.set("heddle.bridge.agent.address", "127.0.0.1:5055");
        BridgeSettings settings = BridgeKeys.read(conf);
        assertThat(settings.standby()).isNotNull();
        assertThat(settings.limits().shortPart()).isEqualTo(0.2);
    }

    @Test
    void credentialsThatOthersMayReadAreRefused(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("principals"), "heddle-credentials 1\n");
        Configuration conf = new Configuration(false);
        conf.set("heddle.bridge.auth.file", file.toString());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> BridgeKeys.read(conf)).hasMessageContaining("chmod 600");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThat(BridgeKeys.read(conf).access().credentials()).isNotNull();
        Files.writeString(file, "heddle-credentials 1\nanalytics plaintext alice\n");
        assertThatThrownBy(() -> BridgeKeys.read(conf)).hasMessageContaining("line 2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "heddle.bridge.http.address|0.0.0.0:5050|listens on loopback addresses only",
                "heddle.bridge.agent.address|0.0.0.0:5055|listens on loopback addresses only",
                "heddle.bridge.tls.keystore|/nowhere.p12|go together",
                "heddle.bridge.offer.short.part|1|want a number from 0 to 0.9",
                "heddle.bridge.users.proxy|yes|want true or false",
                "heddle.bridge.http.address|5050|want host:port",
                "heddle.bridge.offer.timeout|soon|want a time such as",
                "heddle.bridge.offer.timeout|9m|at most 80 %",
                "heddle.bridge.offer.min.cpus|few|want a number",
                "heddle.bridge.max.frameworks|0|want a whole number from 1",
                "heddle.bridge.ports|31000|want first-last",
                "heddle.bridge.agent.limits|some|want auto or off",
                "heddle.bridge.offer.min.memory|5|no such keys",
            })
    void whatIsWrongIsSaid(String key, String value, String message) {
        Configuration conf = new Configuration(false);
        conf.set(key, value);
        assertThatThrownBy(() -> BridgeKeys.read(conf))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(key)
                .hasMessageContaining(message);
    }
}
