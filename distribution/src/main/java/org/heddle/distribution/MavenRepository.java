// SPDX-License-Identifier: Apache-2.0
package org.heddle.distribution;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipOutputStream;

/**
 * Lays out a Maven repository of the modules that people write programs with: jar, description and sources of each, and
 * the parent that their descriptions name.
 */
public final class MavenRepository {
    private static final Pattern ARTIFACT =
            Pattern.compile("</parent>.*?<artifactId>([a-z-]+)</artifactId>", Pattern.DOTALL);

    private final Path tree;
    private final Path group;
    private final String version;

    private MavenRepository(Path tree, Path group, String version) {
        this.tree = tree;
        this.group = group;
        this.version = version;
    }

    /** @param arguments the source tree, the directory to write to, the version, then the modules */
    public static void main(String[] arguments) throws IOException {
        Path group = BuildFolder.makeAnew(Paths.get(arguments[1])).resolve("org/heddle");
        MavenRepository repository = new MavenRepository(Paths.get(arguments[0]), group, arguments[2]);
        Files.copy(repository.tree.resolve("pom.xml"), repository.place("heddle-parent", ".pom"));
        for (String module : List.of(arguments).subList(3, arguments.length)) {
            repository.add(repository.tree.resolve(module));
        }
    }

    private void add(Path module) throws IOException {
        Path own = module.resolve("pom.xml");
        Matcher text = ARTIFACT.matcher(new String(Files.readAllBytes(own), StandardCharsets.UTF_8));
        if (!text.find()) {
            throw new IOException(own + " names no artifact after its parent");
        }
        String artifact = text.group(1);
        Files.copy(module.resolve("target").resolve(artifact + "-" + version + ".jar"), place(artifact, ".jar"));
        // What is inside a jar is no dependency of it.
        Path reduced = module.resolve("target/dependency-reduced-pom.xml");
        Files.copy(Files.exists(reduced) ? reduced : own, place(artifact, ".pom"));
        try (ZipOutputStream sources = BuildFolder.jar(place(artifact, "-sources.jar"))) {
            for (String folder : List.of("src/main/java", "src/main/resources")) {
                Path root = module.resolve(folder);
                if (Files.isDirectory(root)) {
                    for (Path file : BuildFolder.files(root)) {
                        String name = root.relativize(file).toString().replace('\\', '/');
                        BuildFolder.add(sources, name, Files.readAllBytes(file));
                    }
                }
            }
        }
    }

    private Path place(String artifact, String end) throws IOException {
        Path folder = Files.createDirectories(group.resolve(artifact).resolve(version));
        return folder.resolve(artifact + "-" + version + end);
    }
}
