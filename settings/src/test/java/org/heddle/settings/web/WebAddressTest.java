// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebAddressTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
        "rm1:8088,http://rm1:8088",
        " rm1:8088/ ,http://rm1:8088",
        "http://rm1:8088/,http://rm1:8088",
        "https://rm1,https://rm1",
        "[::1]:8088,http://[::1]:8088"
    })
    void hostAndPortAreEnough(String text, String address) {
        assertThat(WebAddress.of(text)).isEqualTo(URI.create(address));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "rm1",
                "ftp://rm1",
                "http://",
                "rm1:99999",
                "rm1:8088/x",
                "http://a b",
                "http://rm1/x",
                "a_b:1"
            })
    void anythingElseIsRefusedInASentence(String text) {
        assertThatThrownBy(() -> WebAddress.of(text))
                .hasMessage("'" + text + "' is not a web address; write for example http://rm1:8088 or rm1:8088");
    }

    private List<URI> of(String... properties) throws IOException {
        StringBuilder site = new StringBuilder("<configuration>");
        for (String property : properties) {
            String[] sides = property.split("=", 2);
            site.append("<property><name>yarn.")
                    .append(sides[0])
                    .append("</name><value>")
                    .append(sides[1])
                    .append("</value></property>");
        }
        Files.writeString(directory.resolve("yarn-site.xml"), site.append("</configuration>"));
        return ClusterSite.resourceManagers(Map.of("HADOOP_CONF_DIR", directory.toString()));
    }

    @Test
    void siteFilesHaveTheAddresses() throws IOException {
        assertThat(ClusterSite.resourceManagers(Map.of())).containsExactly(URI.create("http://localhost:8088"));
        assertThat(of("resourcemanager.hostname=rm")).containsExactly(URI.create("http://rm:8088"));
        assertThat(of(
                        "resourcemanager.hostname=rm",
                        "resourcemanager.webapp.address=${yarn.resourcemanager.hostname}:80"))
                .containsExactly(URI.create("http://rm:80"));
        assertThat(of("http.policy=HTTPS_ONLY", "resourcemanager.webapp.https.address=0.0.0.0:1"))
                .containsExactly(URI.create("https://localhost:1"));
        assertThat(of(
                        "resourcemanager.ha.enabled=true",
                        "resourcemanager.ha.rm-ids=a, b",
                        "resourcemanager.hostname.a=rm1",
                        "resourcemanager.webapp.address.b=rm2:99"))
                .containsExactly(URI.create("http://rm1:8088"), URI.create("http://rm2:99"));
        Files.writeString(directory.resolve("yarn-site.xml"), "<configuration>");
        assertThatThrownBy(() -> ClusterSite.resourceManagers(Map.of("HADOOP_CONF_DIR", directory.toString())))
                .hasMessageContaining("yarn-site.xml is not a site file of Hadoop");
    }
}
