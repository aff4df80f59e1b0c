// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The sources of all modules, for rules that no module can forget. Tests are left out, and what builds and tools leave.
 */
public final class ProjectSources {
    /** The directory of the source tree. */
    public static final Path ROOT = Path.of("..");

    private static final Pattern COMMENT = Pattern.compile("(?m)^\\s*(/\\*(?s:.*?)\\*/|//.*$)");

    private ProjectSources() {}

    /** The classes whose source, without its comments, has a property. */
    public static Set<String> java(Predicate<String> property) throws IOException {
        return search((name, text) ->
                name.endsWith(".java") && property.test(COMMENT.matcher(text).replaceAll("")));
    }

    /** The classes of whose source a line has a property, in a comment or not. */
    public static Set<String> javaLines(Predicate<String> property) throws IOException {
        return search((name, text) -> name.endsWith(".java") && text.lines().anyMatch(property));
    }

    /** The shell scripts that have a property. */
    public static Set<String> scripts(Predicate<String> property) throws IOException {
        return search((name, text) -> text.startsWith("#!") && property.test(text));
    }

    private interface Wanted {
        boolean test(String name, String text);
    }

    private static Set<String> search(Wanted wanted) throws IOException {
        Search search = new Search(wanted);
        Files.walkFileTree(ROOT, search);
        return search.found;
    }

    private static final class Search extends SimpleFileVisitor<Path> {
        private static final Set<String> NO_SOURCES = Set.of("target", ".git", ".mvn", "docs");

        private final Wanted wanted;
        private final Set<String> found = new TreeSet<>();

        Search(Wanted wanted) {
            this.wanted = wanted;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            return NO_SOURCES.contains(directory.getFileName().toString())
                    ? FileVisitResult.SKIP_SUBTREE
                    : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            String name = ROOT.relativize(file).toString();
            if (attributes.isRegularFile()
                    && !name.contains("src/test/")
                    && wanted.test(name, new String(Files.readAllBytes(file), StandardCharsets.UTF_8))) {
                found.add(name);
            }
            return FileVisitResult.CONTINUE;
        }
    }
}
