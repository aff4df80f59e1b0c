// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.heddle.market.yarn.MarketKeys;
import org.heddle.settings.KeyTable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Keeps {@code docs/config-market.md} equal to the keys. Run with {@code -Dheddle.docs.write=true} to write it anew.
 */
@Tag("pure")
class ConfigDocTest {
    private static final Path DOC = Path.of("..", "docs", "config-market.md");

    @Test
    void theDocumentSaysWhatTheCodeDoes() throws IOException {
        String generated = document();
        if (Boolean.getBoolean("heddle.docs.write")) {
            Files.writeString(DOC, generated);
        }

        assertThat(DOC)
                .as("after a change: ./mvnw -pl dynamic-priority-scheduler -am test -Dtest=ConfigDocTest"
                        + " -Dsurefire.failIfNoSpecifiedTests=false -Dheddle.docs.write=true")
                .hasContent(generated);
    }

    private static String document() {
        StringBuilder text = new StringBuilder("""
            # Configuration of the market

            <!-- Generated from MarketKeys and WebKeys by ConfigDocTest; do not edit. -->

            Keys of the dynamic-priority scheduler in `yarn-site.xml`, in addition to those of [the DRF scheduler](config.md), which also explains durations. \
            Commented files to start from are in `conf-samples/market/`.

            ## The market
            """);
        text.append('\n').append(KeyTable.markdown(MarketKeys.ALL));
        text.append(KeyTable.row(
                "`" + MarketKeys.STORE_JDBC_PASSWORD + "`",
                "",
                "text",
                "Password of the database; it is read through Hadoop's credential providers."));
        text.append("\n## REST and console\n\n").append(KeyTable.markdown(WebKeys.ALL));
        return text.toString();
    }
}
