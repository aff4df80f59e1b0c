// SPDX-License-Identifier: Apache-2.0
package org.heddle.install;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.heddle.settings.command.Frame;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code heddle maven-install}. */
@Command(
        name = "maven-install",
        description = {
            "Copies the libraries for programs of your own into your local Maven repository, with their sources: the"
                    + " testkit, the client of the offer bridge, LATE's policy, the driver for Mesos' old API and"
                    + " Spark's plug-in.",
            "What a build had put there of the same version is replaced."
        })
final class MavenInstallCommand implements Callable<Integer> {
    /** The folder of the archive that is laid out as a Maven repository. */
    private static final String FOLDER_PROPERTY = "heddle.maven";

    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    @Option(
            names = "--repository",
            paramLabel = "DIR",
            description = "The local repository, if your settings.xml names another than .m2/repository in your home.")
    private Path repository = Path.of(System.getProperty("user.home"), ".m2", "repository");

    @Option(names = "--dry-run", description = "Says what would be done, and does nothing.")
    private boolean dryRun;

    @Override
    public Integer call() throws IOException {
        Path folder = Path.of(System.getProperty(FOLDER_PROPERTY, "maven"));
        if (!Files.isDirectory(folder)) {
            throw new RefusedException(folder + " is missing: heddle-" + Frame.version(Main.class)
                    + ".tar.gz has it; in a source tree ./mvnw -DskipTests install does the same");
        }
        Map<Path, Path> copies = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).collect(Collectors.toList())) {
                copies.put(file, repository.resolve(folder.relativize(file)));
            }
        }
        Permissions.require(new TreeSet<>(copies.values()));
        if (!dryRun) {
            copy(copies);
        }
        PrintWriter out = spec.commandLine().getOut();
        for (String artifact : artifacts(copies.keySet())) {
            out.println((dryRun ? "would be copied  " : "copied  ") + artifact);
        }
        out.println("The local repository is " + repository + ".");
        out.flush();
        return 0;
    }

    private static void copy(Map<Path, Path> copies) throws IOException {
        try (FileChanges changes = new FileChanges()) {
            for (Map.Entry<Path, Path> copy : copies.entrySet()) {
                Path directory = copy.getValue().getParent();
                if (directory != null) {
                    changes.directory(directory);
                }
                changes.copy(copy.getKey(), copy.getValue());
            }
            changes.commit();
        }
    }

    /** As a pom.xml names them; the parent is nobody's dependency. */
    private static Set<String> artifacts(Set<Path> files) {
        Set<String> artifacts = new TreeSet<>();
        for (Path file : files) {
            String name = String.valueOf(file.getFileName());
            Path version = file.getParent();
            Path artifact = version == null ? null : version.getParent();
            if (version != null && artifact != null && name.endsWith(".jar") && !name.endsWith("-sources.jar")) {
                artifacts.add("org.heddle:" + artifact.getFileName() + ":" + version.getFileName());
            }
        }
        return artifacts;
    }
}
