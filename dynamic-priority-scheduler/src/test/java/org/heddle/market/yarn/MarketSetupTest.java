// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.heddle.market.TestTerms;
import org.heddle.market.ledger.book.LedgerStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the ledger is, by the configuration. */
class MarketSetupTest {
    private static LedgerStore store(String directory) throws IOException {
        Configuration conf = new Configuration(false);
        conf.set("hadoop.tmp.dir", "/tmp/hadoop");
        conf.set(MarketKeys.STORE_DIRECTORY.name(), directory);
        return MarketSetup.store(conf, TestTerms.paper("test", 1_000), () -> 0);
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

    /** What an administrator forgets most easily: the ledger's place, and YARN's access lists. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "                | true  | acl-or-voucher | false | below hadoop.tmp.dir",
                "/tmp/hadoop/x   | true  | acl-or-voucher | false | below hadoop.tmp.dir",
                "file:///tmp/hadoop/../hadoop | true | voucher | false | below hadoop.tmp.dir",
                "/var/lib/market | false | acl-or-voucher | false | yarn.acl.enable is off",
                "hdfs://nn/m     | false | acl            | false | yarn.acl.enable is off",
                "/var/lib/market | false | voucher        | false |",
                "/var/lib/market | true  | acl-or-voucher | false |",
                "hdfs://nn/m     | true  | acl            | false |",
                "                | false | acl            | true  |",
            })
    void whatIsForTrialsOnlyIsRefused(
            @Nullable String directory, String acls, String submission, String trial, @Nullable String refusal) {
        Configuration conf = new Configuration(false);
        conf.set("hadoop.tmp.dir", "/tmp/hadoop");
        conf.set(MarketKeys.STORE_DIRECTORY.name(), directory == null ? "" : directory);
        conf.set("yarn.acl.enable", acls);
        conf.set(MarketKeys.SUBMISSION.name(), submission);
        conf.set(MarketKeys.TRIAL.name(), trial);
        if (refusal == null) {
            assertThatCode(() -> MarketSetup.checkSafe(conf)).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(() -> MarketSetup.checkSafe(conf))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(refusal)
                    .hasMessageEndingWith(", or for a trial yarn.scheduler.heddle.market.trial = true");
        }
    }

    @Test
    void aSlotIsTheSmallestContainerUnlessItIsSet() throws IOException {
        Configuration conf = new Configuration(false);
        List<String> resources = List.of("memory-mb", "vcores", "yarn.io/gpu");
        assertThat(MarketSetup.text(MarketSetup.standardSlot(conf, resources), resources))
                .isEqualTo("memory-mb=1024, vcores=1");
        conf.set("yarn.scheduler.minimum-allocation-mb", "2048");
        assertThat(MarketSetup.standardSlot(conf, resources)).containsExactly(2048, 1, 0);
        conf.set(MarketKeys.STANDARD_SLOT.name(), "memory-mb=4Gi");
        assertThat(MarketSetup.standardSlot(conf, resources)).containsExactly(4096, 0, 0);
    }
}
