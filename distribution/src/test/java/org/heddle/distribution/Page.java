// SPDX-License-Identifier: Apache-2.0
package org.heddle.distribution;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page of an unpacked archive.
 *
 * @param name its path in the archive
 * @param text without comments
 * @param blocks what is between fences, and indented blocks
 * @param code the blocks, and what sentences set as code
 */
record Page(String name, String text, List<Block> blocks, List<String> code) {
    private static final Pattern COMMENT = Pattern.compile("(?s)<!--.*?-->");
    private static final Pattern FENCED = Pattern.compile("(?sm)^ *```(\\w*)\n(.*?)^ *```$");
    private static final Pattern INDENTED = Pattern.compile("(?m)^( {4}\\S.*\n(?: {4,}.*\n)*)");
    private static final Pattern INLINE = Pattern.compile("`([^`]+)`");

    /** @param language empty where none is said */
    record Block(String language, String text) {
        /** Its lines; one that ends with a backslash, or stands before an indented one of a usage, is joined to it. */
        List<String> commands() {
            return text.replaceAll("\\\\\n\\s*", " ")
                    .replaceAll("\n {8,}(?=\\[|--)", " ")
                    .lines()
                    .map(line -> line.strip().replaceFirst("^\\$ ", "").replaceFirst("(^|\\s+)# .*$", ""))
                    .toList();
        }
    }

    static List<Page> of(Path archive) throws IOException {
        List<Page> pages = new ArrayList<>();
        try (Stream<Path> all = Files.walk(archive)) {
            for (Path file : all.filter(each -> each.toString().endsWith(".md")).toList()) {
                pages.add(read(archive.relativize(file).toString(), Files.readString(file)));
            }
        }
        return pages;
    }

    static Page read(String name, String raw) {
        String text = COMMENT.matcher(raw).replaceAll("");
        List<Block> blocks = new ArrayList<>();
        List<String> code = new ArrayList<>();
        String rest = cut(FENCED, text, block -> blocks.add(new Block(block.group(1), block.group(2))));
        rest = cut(INDENTED, rest, block -> blocks.add(new Block("", block.group(1))));
        blocks.forEach(block -> code.add(block.text()));
        cut(INLINE, rest, inline -> code.add(inline.group(1).replaceAll("\\s+", " ")));
        return new Page(name, text, blocks, code);
    }

    private static String cut(Pattern pattern, String text, Consumer<Matcher> add) {
        Matcher found = pattern.matcher(text);
        while (found.find()) {
            add.accept(found);
        }
        return found.replaceAll("\n");
    }

    /** What a pattern finds in the code of the page; its first group. */
    Stream<String> find(Pattern pattern) {
        return code.stream().flatMap(each -> pattern.matcher(each).results().map(result -> result.group(1)));
    }
}
