// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.heddle.market.ledger.book.LedgerStore;
import org.heddle.market.model.terms.MarketTerms;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the ledger is, by the configuration. */
class MarketSetupTest {
    private static LedgerStore store(String directory) throws IOException {
        Configuration conf = new Configuration(false);
        conf.set("hadoop.tmp.dir", "/tmp/hadoop");
        conf.set(MarketKeys.STORE_DIRECTORY.name(), directory);
        return MarketSetup.store(conf, MarketTerms.legacy("test", 1_000), () -> 0);
    }

    @Test
    void theDirectoryIsHereOrInHdfs() throws IOException {
        assertThat(store("").place()).isEqualTo("/tmp/hadoop/heddle-market");
        assertThat(store("/var/lib/market").place()).isEqualTo("/var/lib/market");
        assertThat(store("file:///var/lib/market").place()).isEqualTo("/var/lib/market");
        assertThat(store("hdfs://nn/heddle/market").place()).isEqualTo("hdfs://nn/heddle/market");
        assertThat(store("hdfs:///heddle/market").place()).isEqualTo("hdfs:/heddle/market");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hdfs://nn", "hdfs://nn/", "hdfs://a b/c", "file://host/c", "a\0b"})
    void aWrongOneIsNamed(String directory) {
        assertThatThrownBy(() -> store(directory))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(MarketKeys.STORE_DIRECTORY.name() + ": " + directory)
                .hasMessageContaining("want a path, or hdfs://NAMENODE/PATH");
    }
}
