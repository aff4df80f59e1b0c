// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The section "A ledger or a log does not open" of docs/runbooks.md: what to type for the sentence that a process has
 * said.
 */
final class LostLogRunbook {
    private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\| (.+) \\|");
    private static final Pattern IN_CODE = Pattern.compile("`([^`]+)`");
    /** In the runbook's example the first lost record has the number 427, so the last one that is left has 426. */
    private static final String FIRST_LOST = "records 427 to ";

    private static final String LAST_LEFT = "426";
    /** Characters of a line that may be a sentence. */
    private static final int LONGEST = 2_000;

    private LostLogRunbook() {}

    /**
     * A row of the table.
     *
     * @param sentence as the table has it
     * @param wayOut in words, with commands
     * @param said the part of what the process has said that fits
     */
    record Row(String sentence, String wayOut, String said) {
        /** The command of the row that contains a text, for this directory and this sentence. */
        String command(String part, String directory) {
            Matcher code = IN_CODE.matcher(wayOut);
            while (code.find()) {
                if (code.group(1).contains(part)) {
                    return code.group(1).replace("DIRECTORY", directory).replace(LAST_LEFT, lastLeft());
                }
            }
            throw new AssertionError("the runbook has no command with '" + part + "' for: " + sentence);
        }

        private String lastLeft() {
            assertThat(sentence).contains(FIRST_LOST);
            Matcher first = Pattern.compile("records ([0-9]+) to ").matcher(said);
            assertThat(first.find()).as(said).isTrue();
            return String.valueOf(Long.parseLong(first.group(1)) - 1);
        }
    }

    /** The only row whose sentence is in a text. */
    static Row row(String text) throws IOException {
        // A daemon's log has its class path, which is one word: patterns that begin with any word take minutes there.
        String sentences = text.lines().filter(line -> line.length() < LONGEST).collect(Collectors.joining("\n"));
        List<String> lines = Files.readAllLines(SourceTree.root().resolve("docs/runbooks.md"));
        int begin = lines.indexOf("## A ledger or a log does not open");
        assertThat(begin).isNotNegative();
        List<Row> found = lines.subList(begin, lines.size()).stream()
                .map(ROW::matcher)
                .filter(Matcher::matches)
                .map(row -> new Row(row.group(1), row.group(2), part(sentences, row.group(1))))
                .filter(row -> !row.said().isEmpty())
                .toList();
        assertThat(found).as("rows of the runbook for:\n" + sentences).hasSize(1);
        return found.get(0);
    }

    /** The part of a text that fits to a sentence with ".." for any words, FILE, and numbers as an example. */
    private static String part(String text, String sentence) {
        String pattern = Pattern.quote(sentence)
                .replace(" .. ", "\\E.*\\Q")
                .replace("..", "\\E.*\\Q")
                .replace("FILE", "\\E\\S+\\Q")
                .replaceAll("[0-9]+", "\\\\E[0-9]+\\\\Q");
        Matcher found = Pattern.compile(pattern).matcher(text);
        return found.find() ? found.group() : "";
    }
}
