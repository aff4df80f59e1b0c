// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocaleEncodingTest {
    private static final LocaleEncoding UTF_8 = new LocaleEncoding(StandardCharsets.UTF_8);
    private static final LocaleEncoding ASCII = new LocaleEncoding(StandardCharsets.US_ASCII);

    @ParameterizedTest
    @CsvSource({
        "ANSI_X3.4-1968, plain ~ text,",
        "ANSI_X3.4-1968, t\u00e2che, U+00E2",
        "ISO-8859-1, t\u00e2che,",
        "ISO-8859-1, t\u00e2che \u20ac, U+20AC",
        "UTF-8, t\u00e2che \u20ac \ud83d\ude00,",
        "ANSI_X3.4-1968, \ud83d\ude00, U+1F600"
    })
    void whatTheEncodingDoesNotHaveIsNamed(String charset, String text, String missing) {
        LocaleEncoding encoding = new LocaleEncoding(Charset.forName(charset));
        if (missing == null) {
            assertThatCode(() -> encoding.check("it", text)).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(() -> encoding.check("the argument '" + text + "'", text))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("the argument '" + text + "' has the character " + missing + ", which ")
                    .hasMessageContaining("LC_ALL=C.UTF-8");
        }
    }

    @Test
    void halfOfAPairIsInNoEncoding() {
        assertThatThrownBy(() -> UTF_8.check("the argument", "a\ud83d"))
                .hasMessage("the argument has the character U+D83D, which is half of a pair and cannot be written");
    }

    @Test
    void everyEncodingCounts() {
        LocaleEncoding both = new LocaleEncoding(StandardCharsets.UTF_8, StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> both.check("it", "\u20ac")).hasMessageContaining("ISO-8859-1 does not have");
    }

    @Test
    void namesOfFilesAreCheckedToo() throws IOException {
        Path directory = Path.of("/sandboxes");
        assertThat(UTF_8.resolve(directory, "a/b")).isEqualTo(Path.of("/sandboxes/a/b"));
        assertThatThrownBy(() -> ASCII.resolve(directory, "d\u00e9"))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("the file name 'd\u00e9' has the character U+00E9");
        assertThatThrownBy(() -> UTF_8.resolve(directory, "a\0b"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is not allowed: Nul");
    }

    @Test
    void onlyTheBeginOfALongTextIsShown() {
        assertThat(LocaleEncoding.shown("x".repeat(1000))).hasSizeLessThan(70).endsWith("..'");
    }
}
