// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Rules for the text of the sources that are shipped, which no compiler checks. */
class SourceRulesTest {
    // ---- conditional expressions ----

    /** Comments, texts and characters, in which a question mark is no operator. */
    private static final Pattern NO_CODE = Pattern.compile(
            "//[^\\n]*|/\\*.*?\\*/|\"\"\".*?\"\"\"|\"(?:[^\"\\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\\n]|\\\\.)+'",
            Pattern.DOTALL);

    /** Of a type such as {@code List<?>} or {@code Map<String, ?>}. */
    private static final Pattern WILDCARD = Pattern.compile("[<,]\\s*\\?");

    private static final Pattern SEVERAL_LINES = Pattern.compile("(?m)^\\s*\\?|\\?\\s*$");

    /** From one question mark to another one within the same argument, statement and parentheses. */
    private static final Pattern NESTED = Pattern.compile("\\?(?:[^;,{}?()]|\\((?:[^()?]|\\([^()?]*\\))*\\)|\\()*\\?");

    private static boolean isHardToRead(String source) {
        Matcher skipped = NO_CODE.matcher(source);
        String code = WILDCARD.matcher(skipped.replaceAll("_")).replaceAll("<");
        return SEVERAL_LINES.matcher(code).find() || NESTED.matcher(code).find();
    }

    /**
     * A conditional expression is short and in one line: one in another, or one over several lines, is an {@code if}.
     * It looks at the sources as they are formatted, where each line but the first of an expression begins with its
     * operator.
     */
    @Test
    void conditionalExpressionsAreShort() throws IOException {
        nobodyBut(
                "benchmarks|testkit",
                SourceRulesTest::isHardToRead,
                "a conditional expression in another, or over several lines: use if");
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
                .allMatch(SourceRulesTest::isHardToRead);
        assertThat(List.of(
                        "return a ? b : c;",
                        "f(a ? 1 : 2, b ? 3 : 4);",
                        "return (a ? f(b) : c) + (d ? e : g(h, i(j)));",
                        "List<?> a = b ? List.of() : c;\nMap<String, ?> d = e ? f : g;",
                        "String s = \"a ? b ? c\"; // who? what?\nchar c = '?';"))
                .noneMatch(SourceRulesTest::isHardToRead);
    }

    // ---- width ----

    private static final Pattern LONG_COMMENT = Pattern.compile("(?=\\s*(\\*|//|/\\*)).{121,}");

    /** The formatter wraps code, and leaves comments as they are. */
    @Test
    void commentsAreAtMost120ColumnsWide() throws IOException {
        assertThat(ProjectSources.javaLines(line -> LONG_COMMENT.matcher(line).matches()))
                .as("a comment wider than 120 columns")
                .isEmpty();
    }

    @Test
    void aWideCommentIsNoticed() {
        String wide = "x".repeat(120);
        assertThat(List.of("// " + wide, "    /** " + wide + " */", "     * " + wide))
                .allMatch(line -> LONG_COMMENT.matcher(line).matches());
        assertThat(List.of("// x", "     * " + "x".repeat(110), "String s = \"" + wide + "\";"))
                .noneMatch(line -> LONG_COMMENT.matcher(line).matches());
    }

    // ---- constructors ----

    private static final int MOST_PARAMETERS = 7;
    private static final Pattern CLASS = Pattern.compile("\\b(?:class|enum) (\\w+)");
    /** Of annotations of parameters, and of types: what may contain a comma that divides no parameters. */
    private static final Pattern INNER = Pattern.compile("<[^<>]*>|\\([^()]*\\)");

    private static boolean hasALongConstructor(String source) {
        String code = NO_CODE.matcher(source).replaceAll("_");
        return CLASS.matcher(code)
                .results()
                .flatMap(name -> Pattern.compile("(?<!new |[\\w.])" + name.group(1)
                                + "\\(((?:[^()]|\\([^()]*\\))*)\\)\\s*(?:throws [^{;]+)?\\{")
                        .matcher(code)
                        .results())
                .anyMatch(constructor -> parameters(constructor.group(1)) > MOST_PARAMETERS);
    }

    private static long parameters(String list) {
        String text = list;
        while (INNER.matcher(text).find()) {
            text = INNER.matcher(text).replaceAll("");
        }
        return text.chars().filter(c -> c == ',').count() + 1;
    }

    /** Who needs more is given them in groups that are made once. A record is such a group, and names each part. */
    @Test
    void constructorsHaveFewParameters() throws IOException {
        nobodyBut(
                "benchmarks|demos|testkit",
                SourceRulesTest::hasALongConstructor,
                "a constructor of a class with more than " + MOST_PARAMETERS + " parameters: group them in records");
    }

    @Test
    void aLongConstructorIsNoticed() {
        assertThat(List.of(
                        "class A { A(int a, int b, int c, int d, int e, int f, int g, int h) {} }",
                        "class A { public A(\n Map<B, C> a, @D({1, 2}) int b, int c, int d, int e, int f, int g, int h)"
                                + " throws E, F {} }"))
                .allMatch(SourceRulesTest::hasALongConstructor);
        assertThat(List.of(
                        "class A { A(Map<B, Map<C, D>> a, int b, int c, int d, int e, int f, int g) {} }",
                        "class A { void f() { new A(1, 2, 3, 4, 5, 6, 7, 8) {}; } }",
                        "record A(int a, int b, int c, int d, int e, int f, int g, int h) {}"))
                .noneMatch(SourceRulesTest::hasALongConstructor);
    }

    // ---- methods ----

    private static final int MOST_LINES = 60;
    /** Up to the opening brace; a record's components and a call with an anonymous class look alike, and are none. */
    private static final Pattern METHOD =
            Pattern.compile("(?<!record |new |[.\\w])\\w+\\((?:[^()]++|\\((?:[^()]++|\\([^()]*+\\))*+\\))*+\\)"
                    + "\\s*(?:throws [\\w.,\\s]+?)?\\{");

    private static boolean hasALongMethod(String source) {
        String code = NO_CODE.matcher(source).replaceAll("_");
        return METHOD.matcher(code)
                .results()
                .anyMatch(method -> body(code, method.end())
                                .lines()
                                .filter(line -> !line.isBlank())
                                .count()
                        > MOST_LINES);
    }

    /** What stands between the braces that open before this place and their end. */
    private static String body(String code, int begin) {
        int at = begin;
        for (int open = 1; open > 0 && at < code.length(); at++) {
            if (code.charAt(at) == '{') {
                open++;
            } else if (code.charAt(at) == '}') {
                open--;
            }
        }
        return code.substring(begin, at - 1).strip();
    }

    /** Each statement is a row. */
    private static final Set<String> TABLES_OF_DATA = Set.of(
            "drf-scheduler/src/main/java/org/heddle/scheduler/config/schema/ConfigSchema.java",
            "offer-bridge/src/main/java/org/heddle/offers/master/reports/MetricsReport.java",
            "whatif/src/main/java/org/heddle/whatif/report/Tables.java");

    /** A method fits on a screen. */
    @Test
    void methodsAreAtMost60LinesLong() throws IOException {
        assertThat(ProjectSources.java(SourceRulesTest::hasALongMethod))
                .as("a method of more than " + MOST_LINES + " lines: divide it into steps that have names")
                .isSubsetOf(TABLES_OF_DATA);
    }

    @Test
    void aLongMethodIsNoticed() {
        String statements = "    f(); // why\n\n".repeat(MOST_LINES);
        assertThat(List.of(
                        "class A {\n    A(int a) {\n" + statements + "    g();\n    }\n}",
                        "class A {\n    void g(B<C> b, D... d) throws E, F {\n    if (a) {\n" + statements
                                + "    }\n}\n}"))
                .allMatch(SourceRulesTest::hasALongMethod);
        assertThat(List.of(
                        "class A {\n    void g() {\n" + statements + "    }\n    void h() {\n" + statements
                                + "    }\n}",
                        "record A(int b) {\n" + statements + statements + "}",
                        "class A {\n    B b = new B(1) {\n" + statements + statements + "    };\n}"))
                .noneMatch(SourceRulesTest::hasALongMethod);
    }

    // ---- packages ----

    /** A package is a chapter, which a reader holds in mind. */
    @Test
    void packagesAreNoLargerThan25Files() throws IOException {
        Map<String, Long> sizes = ProjectSources.java(source -> true).stream()
                .filter(name -> name.contains("/src/main/") && !name.matches("(benchmarks|testkit)/.*"))
                .filter(name -> !name.endsWith("/package-info.java"))
                .collect(
                        Collectors.groupingBy(name -> name.substring(0, name.lastIndexOf('/')), Collectors.counting()));
        assertThat(sizes)
                .hasSizeGreaterThan(100)
                .allSatisfy((name, size) -> assertThat(size).as(name).isLessThanOrEqualTo(25));
    }

    // ---- formats ----

    private static final Pattern WITHOUT_LOCALE =
            Pattern.compile("\\b(String\\.format|\\w+\\.printf)\\((?!\\s*(java\\.util\\.)?Locale\\.)"
                    + "|\\.formatted\\(|\\bString::format|\\bnew (DecimalFormat|SimpleDateFormat)\\((?![^;]*Locale\\.)"
                    + "|\\bNumberFormat\\.get\\w*\\(\\)|\\bnew Formatter\\(\\)|\\bCollator\\.getInstance\\(\\)|\\bofLocalized"
                    + "|\\bLocale\\.getDefault\\(");

    private static boolean isWithoutLocale(String source) {
        return WITHOUT_LOCALE.matcher(source).find();
    }

    /**
     * Formatted text must not depend on the locale of a daemon: with that of Egypt a number in the name of a log file
     * has digits which the next start does not find, with that of Germany figures have commas. Error Prone refuses
     * {@code toLowerCase()} and readers without a charset; this refuses formats without a locale. What is left out
     * prints for people only.
     */
    @Test
    void everyFormatNamesItsLocale() throws IOException {
        nobodyBut(
                "acceptance|benchmarks|demos|testkit",
                SourceRulesTest::isWithoutLocale,
                "formats text in the locale of the process: use String.format(Locale.ROOT, ..)");
    }

    @Test
    void aFormatWithoutOneIsNoticed() {
        assertThat(List.of(
                        "String.format(\"%010d\", epoch)",
                        "out.printf(\n    \"%d\", epoch)",
                        "\"%d\".formatted(epoch)",
                        "new DecimalFormat(\"0.0\")",
                        "NumberFormat.getInstance()"))
                .allMatch(SourceRulesTest::isWithoutLocale);
        assertThat(List.of(
                        "String.format(Locale.ROOT, \"%010d\", epoch)",
                        "out.printf(\n    Locale.ROOT, \"%d\", epoch)",
                        "new DecimalFormat(\"0.0\", DecimalFormatSymbols.getInstance(Locale.ROOT))"))
                .noneMatch(SourceRulesTest::isWithoutLocale);
    }

    /** @param modules that the rule does not hold for, divided by bars */
    private static void nobodyBut(String modules, Predicate<String> wrong, String rule) throws IOException {
        assertThat(ProjectSources.java(wrong))
                .filteredOn(name -> !name.matches("(" + modules + ")/.*"))
                .as(rule)
                .isEmpty();
    }
}
