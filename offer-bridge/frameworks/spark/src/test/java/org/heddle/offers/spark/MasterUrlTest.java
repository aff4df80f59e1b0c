// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MasterUrlTest {
    @Test
    void namesOneBridgeOrALeaderWithItsStandbys() {
        assertThat(MasterUrl.parse("offers://bridge:5050").addresses(false))
                .containsExactly(URI.create("http://bridge:5050"));
        assertThat(MasterUrl.parse("spark-offers://one:5050, [::1]:5051").addresses(true))
                .containsExactly(URI.create("https://one:5050"), URI.create("https://[::1]:5051"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"yarn", "spark://host:7077", "offers:host:5050", "local[2]", ""})
    void leavesOtherMastersToOtherManagers(String master) {
        assertThat(MasterUrl.isOffers(master)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "offers://, '' is no",
        "offers://bridge, 'bridge' has no port",
        "offers://bridge:0, has no port from 1 to 65535",
        "offers://bridge:70000, has no port from 1 to 65535",
        "offers://bridge:x, is no",
        "'offers://one:5050,', '' is no",
        "offers://bridge:5050/path, is no HOST:PORT",
        "offers://http://bridge:5050, is no",
        "offers://a b:5050, is no address",
    })
    void saysWhatIsWrongAndHowToWriteIt(String master, String why) {
        assertThatThrownBy(() -> MasterUrl.parse(master))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why)
                .hasMessageContaining("write offers://HOST:PORT");
    }

    @Test
    void doesNotRepeatASecret() {
        assertThatThrownBy(() -> MasterUrl.parse("offers://me:hunter2@bridge:5050"))
                .hasMessageContaining("spark.offers.secretFile")
                .hasMessageNotContaining("hunter2");
    }
}
