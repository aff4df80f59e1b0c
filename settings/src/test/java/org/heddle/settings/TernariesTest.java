// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * A conditional expression is short and in one line: one in another, or one over several lines, is an {@code if}. It looks at the
 * sources as they are formatted, where each line but the first of an expression begins with its operator.
 */
class TernariesTest {
    /** Comments, texts and characters, in which a question mark is no operator. */
    private static final Pattern NO_CODE = Pattern.compile(
            "//[^\\n]*|/\\*.*?\\*/|\"\"\".*?\"\"\"|\"(?:[^\"\\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\\n]|\\\\.)+'",
            Pattern.DOTALL);

    /** Of a type such as {@code List<?>} or {@code Map<String, ?>}. */
    private static final Pattern WILDCARD = Pattern.compile("[<,]\\s*\\?");

    private static final Pattern SEVERAL_LINES = Pattern.compile("(?m)^\\s*\\?|\\?\\s*$");

    /** From one question mark to another one within the same argument, statement and parentheses. */
    private static final Pattern NESTED = Pattern.compile("\\?(?:[^;,{}?()]|\\((?:[^()?]|\\([^()?]*\\))*\\)|\\()*\\?");

    private static final Pattern NOT_SHIPPED = Pattern.compile("^(benchmarks|testkit)/.*");

    private static boolean isHardToRead(String source) {
        Matcher skipped = NO_CODE.matcher(source);
        String code = WILDCARD.matcher(skipped.replaceAll("_")).replaceAll("<");
        return SEVERAL_LINES.matcher(code).find() || NESTED.matcher(code).find();
    }

    @Test
    void conditionalExpressionsAreShort() throws IOException {
        Set<String> found = new TreeSet<>(ProjectSources.java(TernariesTest::isHardToRead));
        found.removeIf(name -> NOT_SHIPPED.matcher(name).matches());
        assertThat(found)
                .as("a conditional expression in another, or over several lines: use if")
                .isEmpty();
    }

    @Test
    void aLongOneIsNoticed() {
        assertThat(List.of(
                        "return a ? b : c ? d : e;",
                        "int x = a ? (b ? 1 : 2) : 3;",
                        "return a ? f(b, c(d)) : e ? g : h;",
                        "return a\n    ? b\n    : c;",
                        "f(a, b ?\n 1 : 2);",
                        "f(\"?\", a ? '?' : b ? c : d);"))
                .allMatch(TernariesTest::isHardToRead);
        assertThat(List.of(
                        "return a ? b : c;",
                        "f(a ? 1 : 2, b ? 3 : 4);",
                        "return (a ? f(b) : c) + (d ? e : g(h, i(j)));",
                        "List<?> a = b ? List.of() : c;\nMap<String, ?> d = e ? f : g;",
                        "String s = \"a ? b ? c\"; // who? what?\nchar c = '?';"))
                .noneMatch(TernariesTest::isHardToRead);
    }
}
