// SPDX-License-Identifier: Apache-2.0
package org.heddle.distribution;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Copies the pages of the source tree for an archive. The README of a module becomes docs/modules/MODULE.md; links
 * between pages follow, and a link to what the archive does not have becomes its text.
 */
public final class Pages {
    private static final Pattern LINK = Pattern.compile("(!?)\\[([^\\]]*)\\]\\(([^)#\\s]+)(#[^)\\s]*)?\\)");
    private static final Pattern OUTSIDE = Pattern.compile("[a-z]+:.*");
    /** For people who change Heddle, and the pictures of measurements, which are larger than all pages. */
    private static final Pattern OF_DEVELOPERS = Pattern.compile(
            "docs/((architecture|conformance|releasing|testing)[.]md|decisions/.*|images/(evaluation|soak)-.*)");

    private final Path tree;
    /** Where each page goes, by where it is; both relative. */
    private final Map<Path, Path> places = new TreeMap<>();

    private Pages(Path tree) {
        this.tree = tree.normalize();
    }

    /**
     * @param arguments the source tree, the directory to write to, the archive's own README, then what is wanted:
     *     pages, directories of pages, and modules for their README
     */
    public static void main(String[] arguments) throws IOException {
        Pages pages = new Pages(Paths.get(arguments[0]));
        pages.places.put(Paths.get(arguments[2]), Paths.get("README.md"));
        for (String page : List.of("CHANGELOG.md", "LICENSE", "SECURITY.md")) {
            pages.places.put(Paths.get(page), Paths.get(page));
        }
        for (String wanted : List.of(arguments).subList(3, arguments.length)) {
            pages.add(Paths.get(wanted));
        }
        // They are copied as they are, by the assembly.
        for (Path sample : pages.below("conf-samples")) {
            pages.places.put(sample, sample);
        }
        pages.copy(BuildFolder.makeAnew(Paths.get(arguments[1])));
    }

    private void add(Path wanted) throws IOException {
        if (Files.isRegularFile(tree.resolve(wanted))) {
            places.put(wanted, wanted);
            return;
        }
        Path readme = wanted.resolve("README.md");
        if (Files.exists(tree.resolve(readme))) {
            places.put(readme, Paths.get("docs", "modules", wanted.toString().replace('/', '-') + ".md"));
            return;
        }
        for (Path file : below(wanted.toString())) {
            if (!OF_DEVELOPERS.matcher(file.toString().replace('\\', '/')).matches()) {
                places.put(file, file);
            }
        }
    }

    private List<Path> below(String folder) throws IOException {
        return BuildFolder.files(tree.resolve(folder)).stream()
                .map(tree::relativize)
                .collect(Collectors.toList());
    }

    private void copy(Path target) throws IOException {
        for (Map.Entry<Path, Path> place : places.entrySet()) {
            if (place.getKey().startsWith("conf-samples")) {
                continue;
            }
            Path copy = target.resolve(place.getValue());
            Files.createDirectories(parent(copy));
            if (place.getKey().toString().endsWith(".md")) {
                String text = new String(Files.readAllBytes(tree.resolve(place.getKey())), StandardCharsets.UTF_8);
                Files.write(copy, relink(text, place.getKey(), place.getValue()).getBytes(StandardCharsets.UTF_8));
            } else {
                Files.copy(tree.resolve(place.getKey()), copy);
            }
        }
    }

    private String relink(String text, Path from, Path to) {
        Matcher link = LINK.matcher(text);
        StringBuilder result = new StringBuilder();
        while (link.find()) {
            link.appendReplacement(result, Matcher.quoteReplacement(relinked(link, from, to)));
        }
        return link.appendTail(result).toString();
    }

    private String relinked(Matcher link, Path from, Path to) {
        String address = link.group(3);
        if (OUTSIDE.matcher(address).matches()) {
            return link.group();
        }
        Path wanted = parent(from).resolve(address).normalize();
        Path place = places.get(wanted);
        if (place == null && places.containsKey(wanted.resolve("README.md"))) {
            place = places.get(wanted.resolve("README.md"));
        }
        boolean folder = place == null && places.values().stream().anyMatch(other -> other.startsWith(wanted));
        if (folder) {
            place = wanted;
        }
        if (place == null) {
            return link.group(2);
        }
        String anchor = link.group(4) == null ? "" : link.group(4);
        String relative = parent(to).relativize(place).toString().replace('\\', '/');
        return link.group(1) + "[" + link.group(2) + "](" + relative + anchor + ")";
    }

    private static Path parent(Path path) {
        Path parent = path.getParent();
        return parent == null ? Paths.get("") : parent;
    }
}
