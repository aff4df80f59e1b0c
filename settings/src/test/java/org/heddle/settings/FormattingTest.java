// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Formatted text must not depend on the locale of a daemon: with that of Egypt a number in the name of a log file has digits
 * which the next start does not find, with that of Germany figures have commas. Error Prone refuses {@code toLowerCase()} and
 * readers without a charset; this refuses formats without a locale.
 */
class FormattingTest {
    private static final Pattern WITHOUT_LOCALE =
            Pattern.compile("\\b(String\\.format|\\w+\\.printf)\\((?!\\s*(java\\.util\\.)?Locale\\.)"
                    + "|\\.formatted\\(|\\bString::format|\\bnew (DecimalFormat|SimpleDateFormat)\\((?![^;]*Locale\\.)"
                    + "|\\bNumberFormat\\.get\\w*\\(\\)|\\bnew Formatter\\(\\)|\\bCollator\\.getInstance\\(\\)|\\bofLocalized"
                    + "|\\bLocale\\.getDefault\\(");

    /** They print for people only. */
    private static final Pattern NOT_SHIPPED = Pattern.compile("^(acceptance|benchmarks|demos|testkit)/.*");

    private static boolean isWithoutLocale(String source) {
        return WITHOUT_LOCALE.matcher(source).find();
    }

    @Test
    void everyFormatNamesItsLocale() throws IOException {
        Set<String> found = new TreeSet<>(ProjectSources.java(FormattingTest::isWithoutLocale));
        found.removeIf(name -> NOT_SHIPPED.matcher(name).matches());
        assertThat(found)
                .as("formats text in the locale of the process: use String.format(Locale.ROOT, ..)")
                .isEmpty();
    }

    @Test
    void aFormatWithoutOneIsNoticed() {
        assertThat(List.of(
                        "String.format(\"%010d\", epoch)",
                        "out.printf(\n    \"%d\", epoch)",
                        "\"%d\".formatted(epoch)",
                        "new DecimalFormat(\"0.0\")",
                        "NumberFormat.getInstance()"))
                .allMatch(FormattingTest::isWithoutLocale);
        assertThat(List.of(
                        "String.format(Locale.ROOT, \"%010d\", epoch)",
                        "out.printf(\n    Locale.ROOT, \"%d\", epoch)",
                        "new DecimalFormat(\"0.0\", DecimalFormatSymbols.getInstance(Locale.ROOT))"))
                .noneMatch(FormattingTest::isWithoutLocale);
    }
}
