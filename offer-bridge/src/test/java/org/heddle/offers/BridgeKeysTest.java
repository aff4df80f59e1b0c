// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.heddle.settings.KeyTable;
import org.heddle.settings.LayeredSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BridgeKeysTest {
    @Test
    void theDefaultsAreValid() {
        BridgeSettings settings = BridgeSettingsReader.read(new Configuration(false));
        assertThat(settings.http().getPort()).isEqualTo(5050);
        assertThat(settings.limits().offerMillis()).isEqualTo(60_000);
    }

    @Test
    void theSampleIsValid() {
        Configuration conf = new Configuration(false);
        conf.addResource(new org.apache.hadoop.fs.Path(
                Path.of("../conf-samples/offers/offer-bridge.xml").toUri()));
        BridgeSettings settings = BridgeSettingsReader.read(conf);
        assertThat(settings.limits().minimumOffer().memMb()).isEqualTo(256);
        assertThat(settings.yarn().queues()).containsEntry("prod", "root.production");
    }

    @Test
    void theSampleForStandbysIsValidOnceItsFilesAreThere() {
        Configuration conf = new Configuration(false);
        conf.addResource(new org.apache.hadoop.fs.Path(
                Path.of("../conf-samples/offers/standby.xml").toUri()));
        assertThatThrownBy(() -> BridgeSettingsReader.read(conf))
                .hasMessageContaining("/etc/heddle/principals cannot be read");
        for (String key : List.of("auth.file", "tls.keystore", "tls.password.file")) {
            conf.set("heddle.bridge." + key, "");
        }
        assertThatThrownBy(() -> BridgeSettingsReader.read(conf)).hasMessageContaining("needs heddle.bridge.auth.file");
        conf.set("heddle.bridge.http.address", "127.0.0.1:5050");
        BridgeSettings settings = BridgeSettingsReader.read(conf);
        assertThat(settings.agents().getAddress().isAnyLocalAddress()).isTrue();
        assertThat(settings.standby()).isNotNull();
        assertThat(settings.limits().shortPart()).isEqualTo(0.2);
    }

    @Test
    void aStateDirectoryWithoutAPathIsRefused() {
        Configuration conf = new Configuration(false);
        conf.set("heddle.bridge.state.dir", "hdfs://nn");
        assertThatThrownBy(() -> Bridge.start(BridgeSettingsReader.read(conf), conf))
                .isInstanceOf(IOException.class)
                .hasMessage("heddle.bridge.state.dir: hdfs://nn is not a directory: want a path, or"
                        + " hdfs://NAMENODE/PATH (it has no path)");
    }

    @Test
    void credentialsThatOthersMayReadAreRefused(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("principals"), "heddle-credentials 1\n");
        Configuration conf = new Configuration(false);
        conf.set("heddle.bridge.auth.file", file.toString());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> BridgeSettingsReader.read(conf)).hasMessageContaining("chmod 600");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThat(BridgeSettingsReader.read(conf).access().credentials()).isNotNull();
        Files.writeString(file, "heddle-credentials 1\nanalytics plaintext alice\n");
        assertThatThrownBy(() -> BridgeSettingsReader.read(conf)).hasMessageContaining("line 2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "heddle.bridge.http.address|0.0.0.0:5050|listens on loopback addresses only",
                "heddle.bridge.agent.address|auto|must be host:port or auto:port",
                "heddle.bridge.tls.keystore|/nowhere.p12|go together",
                "heddle.bridge.kerberos.principal|bridge/_HOST@EXAMPLE.ORG|go together",
                "heddle.bridge.spnego.keytab|/nowhere.keytab|go together",
                "heddle.bridge.kerberos.access.file-systems|other:8020/x, y|must be URIs of file systems",
                "heddle.bridge.offer.short.fraction|1|must be a number from 0 to 0.9",
                "heddle.bridge.users.proxy|yes|must be true or false",
                "heddle.bridge.http.address|5050|must be host:port",
                "heddle.bridge.offer.timeout|soon|must be a duration",
                "heddle.bridge.offer.timeout|9m|at most 80 %",
                "heddle.bridge.offer.min.cpus|few|must be a number",
                "heddle.bridge.ports|31000|must be first-last",
                "heddle.bridge.agent.limits|some|must be auto or off",
                "heddle.bridge.offer.min.memory|5|no such key",
                "heddle.bridge.offer.min.memory-mb|1k|must be a size such as 512Mi",
            })
    void whatIsWrongIsSaid(String key, String value, String message) {
        Configuration conf = new Configuration(false);
        conf.set(key, value);
        assertThatThrownBy(() -> BridgeSettingsReader.read(conf))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(key)
                .hasMessageContaining(message);
    }

    @Test
    void anAddressForFrameworksWithoutTlsNeedsAuthenticationAndASecondWord(@TempDir Path directory) throws Exception {
        Configuration conf = new Configuration(false);
        conf.set("heddle.bridge.http.address", "0.0.0.0:5050");
        conf.set("heddle.bridge.http.plain", "true");
        assertThatThrownBy(() -> BridgeSettingsReader.read(conf)).hasMessageContaining("needs heddle.bridge.auth.file");
        Path file = Files.writeString(directory.resolve("principals"), "heddle-credentials 1\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        conf.set("heddle.bridge.auth.file", file.toString());
        assertThat(BridgeSettingsReader.read(conf).http().getPort()).isEqualTo(5050);
        conf.set("heddle.bridge.http.plain", "false");
        assertThatThrownBy(() -> BridgeSettingsReader.read(conf))
                .hasMessageContaining("set heddle.bridge.tls.keystore (TLS), or heddle.bridge.http.plain=true");
    }

    @Test
    void agentsConnectToTheAddressThatTheResourceManagerSees() {
        Configuration conf = new Configuration(false);
        assertThat(BridgeSettingsReader.read(conf).agents().getAddress().isLoopbackAddress())
                .isTrue();
        conf.set("yarn.resourcemanager.address", "no.such.host:8032");
        assertThatThrownBy(() -> BridgeSettingsReader.read(conf))
                .hasMessageContaining(
                        "heddle.bridge.agent.address = auto:5055: the ResourceManager's host 'no.such.host'"
                                + " is unknown; set an address of this machine that the nodes reach");
    }

    @Test
    void optionsComeBeforeTheEnvironmentAndThatBeforeSiteFiles() {
        Configuration conf = new Configuration(false);
        conf.set("heddle.bridge.preemption.grace", "1s");
        conf.set("heddle.bridge.offer.timeout", "10s");
        conf.set("heddle.bridge.container.lease", "5m");
        LayeredSettings layers = LayeredSettings.builder(BridgeKeys.PREFIX, BridgeKeys.ALL)
                .values("by -D", Map.of("heddle.bridge.preemption.grace", "3s", "yarn.resourcemanager.hostname", "rm"))
                .environment(Map.of(
                        "HEDDLE_BRIDGE_PREEMPTION_GRACE", "2s",
                        "HEDDLE_BRIDGE_OFFER_TIMEOUT", "20s",
                        "HEDDLE_BRIDGE_OPTS", "-Xmx1g"))
                .values("in a site file", BridgeSettingsReader.siteFile(conf))
                .build();
        BridgeSettings settings = BridgeSettingsReader.read(layers, conf);
        assertThat(settings.yarn().preemptionGraceMillis()).isEqualTo(3_000);
        assertThat(settings.limits().offerMillis()).isEqualTo(20_000);
        assertThat(settings.limits().leaseMillis()).isEqualTo(300_000);
        assertThat(settings.limits().shortMillis()).isEqualTo(600_000);
    }

    @Test
    void theDocumentListsExactlyTheKeys() throws IOException {
        Path page = Path.of("../docs/config-bridge.md");
        String generated = String.join(
                "\n",
                "# Configuration of the offer bridge",
                "",
                "<!-- Generated from BridgeKeys by BridgeKeysTest; do not edit. -->",
                "",
                "The bridge reads its keys from these places; the first one that sets a key counts:",
                "",
                "1. the option `-D KEY=VALUE`",
                "2. the environment: `HEDDLE_BRIDGE_OFFER_TIMEOUT` for `heddle.bridge.offer.timeout`",
                "3. system properties, in `HEDDLE_BRIDGE_OPTS`",
                "4. the site files that `--conf` names, then those of the cluster's configuration",
                "",
                "`heddle bridge --keys` prints the keys. [Durations and sizes](config.md) have one syntax everywhere.",
                "",
                KeyTable.markdown(BridgeKeys.ALL));
        if (Boolean.getBoolean("heddle.docs.write")) {
            Files.writeString(page, generated);
        }
        assertThat(page)
                .as("after a change: ./mvnw -pl offer-bridge -am test -Dtest=BridgeKeysTest"
                        + " -Dsurefire.failIfNoSpecifiedTests=false -Dheddle.docs.write=true")
                .hasContent(generated);
    }
}
