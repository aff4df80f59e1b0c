// SPDX-License-Identifier: Apache-2.0
package org.heddle.mesosdriver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.heddle.offers.client.protocol.Masters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MasterUrlTest {
    @ParameterizedTest
    @CsvSource({
        "bridge:5051, false, http://bridge:5051",
        "bridge, false, http://bridge:5050",
        "10.0.0.1:5051, true, https://10.0.0.1:5051",
        "http://bridge:5051, true, http://bridge:5051",
        "https://bridge, false, https://bridge:5050"
    })
    void anAddressIsAUrl(String master, boolean tls, String url) throws Exception {
        try (Masters masters = MasterUrl.parse(master, tls)) {
            assertThat(masters.master(0)).hasToString(url);
        }
    }

    @Test
    void aFileNamesTheMaster(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("master"), "bridge:1234\n");
        try (Masters masters = MasterUrl.parse("file://" + file, false)) {
            assertThat(masters.master(0)).hasToString("http://bridge:1234");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "local", "zk://host:2181", "zk://host:2181/", "ftp://host:1", "a b:1"})
    void othersAreRefused(String master) {
        assertThatThrownBy(() -> MasterUrl.parse(master, false)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theLeaderIsTheHostAndPortOfThePid() throws Exception {
        String info = "{\"id\":\"x\",\"ip\":1,\"pid\":\"master@10.1.2.3:5050\",\"port\":5050}";
        assertThat(ZooKeeperMasters.pid(info.getBytes(StandardCharsets.UTF_8))).isEqualTo("10.1.2.3:5050");
        assertThatThrownBy(() -> ZooKeeperMasters.pid(new byte[] {'{', '}'})).hasMessageContaining("without a pid");
    }
}
