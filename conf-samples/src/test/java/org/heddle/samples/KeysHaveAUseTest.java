// SPDX-License-Identifier: Apache-2.0
package org.heddle.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.heddle.settings.ConfigKey;
import org.heddle.settings.KeyTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A key exists because somebody sets it: what only a developer could set is a constant. */
class KeysHaveAUseTest {
    private static final Path DOCS = Path.of("..", "docs");

    @ParameterizedTest
    @CsvSource({
        "config.md, yarn.scheduler.heddle.",
        "config-market.md, yarn.scheduler.heddle.market.",
        "config-bridge.md, heddle.bridge.",
        "config-late.md, mapreduce.heddle.late."
    })
    void aSampleOrAPageForUsersSetsEachKey(String page, String prefix) throws IOException {
        List<String> texts = texts();
        assertThat(KeyTable.keys(Files.readString(DOCS.resolve(page))).stream().map(ConfigKey::name))
                .filteredOn(key -> key.startsWith(prefix))
                .isNotEmpty()
                .as("a key of %s that nobody is shown: make it a constant, or show in a sample what it is for", page)
                .allMatch(key -> texts.stream().anyMatch(text -> names(text, key, prefix)));
    }

    private static List<String> texts() throws IOException {
        List<String> texts = new ArrayList<>();
        for (Path sample : Samples.all()) {
            if (!sample.startsWith("drf")) { // the catalogue of all that can be set
                texts.add(Samples.text(sample.toString()));
            }
        }
        for (String module : List.of("late-speculator", "offer-bridge")) {
            texts.add(Files.readString(Path.of("..", module, "README.md")));
        }
        try (Stream<Path> pages = Files.list(DOCS)) {
            for (Path page : pages.filter(Files::isRegularFile).toList()) {
                if (!page.getFileName().toString().matches("(config|evaluation|limitations).*")) {
                    texts.add(Files.readString(page));
                }
            }
        }
        return texts;
    }

    /** With its whole name, or as the pages of one product write it: {@code `offer.timeout`}, {@code `dry-run=true`}. */
    private static boolean names(String text, String key, String prefix) {
        String rest = Pattern.quote(key.substring(prefix.length()));
        return Pattern.compile(Pattern.quote(key) + "(?![.\\w-])|`" + rest + "[`=]")
                .matcher(text)
                .find();
    }

    @Test
    void aPartOfALongerKeyDoesNotCount() {
        assertThat(names("set a.b.c=1", "a.b.c", "a.")).isTrue();
        assertThat(names("as `b.c=2` says", "a.b.c", "a.")).isTrue();
        assertThat(names("set a.b.c.d", "a.b.c", "a.")).isFalse();
        assertThat(names("b.c", "a.b.c", "a.")).isFalse();
    }
}
