// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The sources of all modules, for the tests that allow something to a few named classes. */
final class Sources {
    static final Path PROJECT = Path.of("..");

    private static final Pattern COMMENT = Pattern.compile("(?m)^\\s*(/\\*(?s:.*?)\\*/|//.*$)");

    private Sources() {}

    /** The paths of the sources that match without their comments, outside of tests and of what builds and tools leave. */
    static Set<String> which(Predicate<String> matches) throws IOException {
        Search search = new Search(matches);
        Files.walkFileTree(PROJECT, search);
        return search.found;
    }

    static String withoutComments(String source) {
        return COMMENT.matcher(source).replaceAll("");
    }

    private static final class Search extends SimpleFileVisitor<Path> {
        private static final Set<String> NO_SOURCES = Set.of("target", ".git");

        private final Predicate<String> matches;
        private final Set<String> found = new TreeSet<>();

        private Search(Predicate<String> matches) {
            this.matches = matches;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            return NO_SOURCES.contains(directory.getFileName().toString())
                    ? FileVisitResult.SKIP_SUBTREE
                    : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            String name = file.toString();
            if (name.endsWith(".java")
                    && !name.contains("/src/test/")
                    && matches.test(withoutComments(Files.readString(file)))) {
                found.add(PROJECT.relativize(file).toString());
            }
            return FileVisitResult.CONTINUE;
        }
    }
}
