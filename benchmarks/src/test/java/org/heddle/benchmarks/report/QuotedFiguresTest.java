// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** README and the modules' READMEs quote figures only from the evaluation. */
class QuotedFiguresTest {
    private static final Path ROOT = Path.of("..");

    /** Directories without sources. */
    private static final Set<String> BUILT = Set.of("target", "node_modules", ".git");

    /** Figures that nobody measured here, by file, each with the reason. */
    private static final Map<String, Map<String, String>> EXCEPTIONS =
            Map.of("late-speculator/README.md", Map.of("15 s", "a constant of Hadoop's DefaultSpeculator"));

    @Test
    void figuresAreFoundWhereverTheyStandInASentence() {
        assertThat(QuotedFigures.in(
                        "It takes 5 ms, 1,000 bytes (99.5 %), rates of 2:1, 3 seconds and 1.4 times; twice.\n"))
                .containsExactly("5 ms", "1,000 bytes", "99.5 %", "2 : 1", "3 s", "1.4 x");
        assertThat(QuotedFigures.in(
                        "Not `5 ms`, [a](b-5%20s.md), 127.0.0.1:5050, Hadoop 3.5, v1.2, 16 jobs\n```\n7 ms\n```\n"))
                .isEmpty();
        assertThat(QuotedFigures.in("A line that ends with 12\nms counts")).containsExactly("12 ms");
    }

    @Test
    void readmesQuoteOnlyTheEvaluation() throws IOException {
        Set<String> known = QuotedFigures.in(read(ROOT.resolve("docs/evaluation.md")));
        List<String> unknown = new ArrayList<>();
        for (Path readme : readmes()) {
            String name = ROOT.relativize(readme).toString().replace('\\', '/');
            Map<String, String> exceptions = EXCEPTIONS.getOrDefault(name, Map.of());
            Set<String> quoted = QuotedFigures.in(read(readme));
            for (String exception : exceptions.keySet()) {
                if (!quoted.contains(exception)) {
                    unknown.add(name + " needs no exception for \"" + exception + "\" any more");
                }
            }
            for (String figure : quoted) {
                if (!known.contains(figure) && !exceptions.containsKey(figure)) {
                    unknown.add(name + " quotes \"" + figure + "\", which is not in docs/evaluation.md");
                }
            }
        }
        if (!unknown.isEmpty()) {
            fail(String.join("\n", unknown));
        }
    }

    /** All of the source tree, at any depth. */
    private static List<Path> readmes() throws IOException {
        List<Path> readmes = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                return BUILT.contains(directory.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.getFileName().toString().equals("README.md")) {
                    readmes.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        readmes.sort(null);
        assertThat(readmes)
                .contains(ROOT.resolve("README.md"), ROOT.resolve("benchmarks/results/README.md"))
                .hasSizeGreaterThan(8);
        return readmes;
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8);
    }
}
