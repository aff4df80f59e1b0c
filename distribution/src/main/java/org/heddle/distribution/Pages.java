// SPDX-License-Identifier: Apache-2.0
package org.heddle.distribution;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Copies the pages of the source tree for the archive. The README of a module becomes docs/modules/MODULE.md; links
 * between pages follow, and a link to what the archive does not have becomes its text.
 */
public final class Pages {
    private static final Pattern LINK = Pattern.compile("(!?)\\[([^\\]]*)\\]\\(([^)#\\s]+)(#[^)\\s]*)?\\)");
    private static final Pattern OUTSIDE = Pattern.compile("[a-z]+:.*");

    private final Path tree;
    /** Where each page goes, by where it is; both relative. */
    private final Map<Path, Path> places = new TreeMap<>();

    private Pages(Path tree) {
        this.tree = tree.normalize();
    }

    /** @param arguments the source tree, the directory to write to, then the modules whose README is wanted */
    public static void main(String[] arguments) throws IOException {
        Pages pages = new Pages(Paths.get(arguments[0]));
        for (String page : List.of("README.md", "CHANGELOG.md", "LICENSE")) {
            pages.places.put(Paths.get(page), Paths.get(page));
        }
        for (String module : List.of(arguments).subList(2, arguments.length)) {
            String name = module.replace('/', '-') + ".md";
            pages.places.put(Paths.get(module, "README.md"), Paths.get("docs", "modules", name));
        }
        for (String folder : List.of("docs", "conf-samples")) {
            for (Path file : pages.below(folder)) {
                pages.places.put(file, file);
            }
        }
        pages.copy(Paths.get(arguments[1]));
    }

    private List<Path> below(String folder) throws IOException {
        try (Stream<Path> all = Files.walk(tree.resolve(folder))) {
            return all.filter(Files::isRegularFile).map(tree::relativize).collect(Collectors.toList());
        }
    }

    private void copy(Path target) throws IOException {
        if (Files.exists(target)) {
            delete(target);
        }
        for (Map.Entry<Path, Path> place : places.entrySet()) {
            // The samples are copied as they are.
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

    private static void delete(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(folder)) {
            all = new ArrayList<>(walk.collect(Collectors.toList()));
        }
        for (int i = all.size() - 1; i >= 0; i--) {
            Files.delete(all.get(i));
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
