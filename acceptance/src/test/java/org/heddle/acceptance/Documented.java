// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The commands that README.md, docs/ and the modules' READMEs show, and documented-commands.txt, which says of each
 * which test runs it or why none does.
 */
final class Documented {
    private static final Set<String> SHELLS = Set.of("", "sh", "bash", "shell", "console");
    private static final Pattern COMMAND = Pattern.compile("(\\( |\\$ )?(\\./|\\.ci/|[a-z.-]+/bin/|bin/"
            + "|(heddle|heddle-[a-z]+|hadoop|hdfs|yarn|mapred|java|javac|jar|curl|wget|tar|openssl|chmod|mkdir|cp|mv|ln|cd"
            + "|export|echo|sudo|systemctl|kinit|kubectl|docker|git|npm|mvn|spark-submit|sha512sum|gpg|source) ).*");
    /** In a sentence a command counts if it has an argument: names of commands alone are names. */
    private static final Pattern INLINE = Pattern.compile("`((?:bin/)?heddle(?:-[a-z]+)? [^`]*[^`a-z ][^`]*)`");

    private Documented() {}

    /** One line of documented-commands.txt: who runs the command, or "not run, REASON". */
    public record Entry(String who, String command) {}

    static List<Entry> entries() throws IOException {
        try (InputStream in = Objects.requireNonNull(Documented.class.getResourceAsStream("documented-commands.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> line.split(" \\| ", 2))
                    .map(parts -> new Entry(parts[0].strip(), parts[1].strip()))
                    .toList();
        }
    }

    /** What a test has to run, in the order of the documents. */
    static List<String> commandsOf(String test) throws IOException {
        return entries().stream()
                .filter(entry -> entry.who().equals(test))
                .map(Entry::command)
                .toList();
    }

    /** Every command of every document, without comments, continued lines joined. */
    static Set<String> commands() throws IOException {
        Set<String> found = new LinkedHashSet<>();
        for (Path document : documents()) {
            found.addAll(commandsIn(document));
        }
        return found;
    }

    private static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>(List.of(SourceTree.root().resolve("README.md")));
        try (Stream<Path> docs = Files.list(SourceTree.root().resolve("docs"))) {
            docs.filter(path -> path.toString().endsWith(".md")).sorted().forEach(documents::add);
        }
        try (Stream<Path> modules = Files.list(SourceTree.root())) {
            modules.map(module -> module.resolve("README.md"))
                    .filter(Files::exists)
                    .sorted()
                    .forEach(documents::add);
        }
        return documents;
    }

    private static Set<String> commandsIn(Path document) throws IOException {
        Set<String> found = new LinkedHashSet<>();
        String language = null;
        StringBuilder line = new StringBuilder();
        for (String text : Files.readAllLines(document)) {
            if (text.strip().startsWith("```")) {
                language = language == null ? text.strip().substring(3).strip() : null;
            } else if (language == null) {
                Matcher inline = INLINE.matcher(text);
                while (inline.find()) {
                    found.add(inline.group(1).strip());
                }
            } else if (SHELLS.contains(language)) {
                line.append(text.replaceFirst("(^|\\s+)# .*$", "").strip());
                if (line.toString().endsWith("\\")) {
                    line.setLength(line.length() - 1);
                } else {
                    String command = line.toString().replaceFirst("^\\$ ", "").replaceAll("\\s+", " ");
                    line.setLength(0);
                    boolean shell = !language.isEmpty() && !command.isEmpty();
                    if (shell || COMMAND.matcher(command).matches()) {
                        found.add(command);
                    }
                }
            }
        }
        return found;
    }
}
