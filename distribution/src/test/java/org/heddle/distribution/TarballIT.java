// SPDX-License-Identifier: Apache-2.0
package org.heddle.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is in the archive, and what is not. */
class TarballIT {
    private static final Pattern JAR = Pattern.compile("(.*/)?([A-Za-z][A-Za-z0-9-]*?)-([0-9][^/]*)[.]jar");
    /** A line of licenses/README.md. */
    private static final Pattern LIBRARY = Pattern.compile("\\| ([a-z0-9-]+)( [(]inside .*[)])? \\| .* \\| (`.*`) \\|");

    private static final List<String> EXPECTED_JARS = List.of(
            "lib/bridge/heddle-offer-bridge",
            "lib/common/commons-configuration2",
            "lib/common/commons-lang3",
            "lib/common/commons-logging",
            "lib/common/commons-text",
            "lib/common/heddle-journal",
            "lib/common/heddle-late-policy",
            "lib/common/heddle-offers-client",
            "lib/common/heddle-settings",
            "lib/common/jackson-annotations",
            "lib/common/jackson-core",
            "lib/common/jackson-databind",
            "lib/common/jackson-dataformat-yaml",
            "lib/common/jgrapht-core",
            "lib/common/jheaps",
            "lib/common/mesos",
            "lib/common/netty-buffer",
            "lib/common/netty-codec",
            "lib/common/netty-codec-http",
            "lib/common/netty-common",
            "lib/common/netty-handler",
            "lib/common/netty-resolver",
            "lib/common/netty-transport",
            "lib/common/netty-transport-native-unix-common",
            "lib/common/picocli",
            "lib/common/protobuf-java",
            "lib/common/re2j",
            "lib/common/snakeyaml",
            "lib/frameworks/heddle-frameworks",
            "lib/install/heddle-distribution",
            "lib/pack-cpsat/heddle-packing-cpsat",
            "lib/pack/heddle-packing-planner",
            "lib/whatif/heddle-whatif",
            "plugins/heddle-drf-scheduler",
            "plugins/heddle-dynamic-priority-scheduler",
            "plugins/heddle-late-speculator");

    private static final List<String> JARS_OF_THE_SCHEDULER = List.of(
            "lib/common/commons-configuration2",
            "lib/common/commons-lang3",
            "lib/common/commons-logging",
            "lib/common/commons-text",
            "lib/common/jackson-core",
            "lib/common/picocli",
            "lib/install/heddle-distribution",
            "plugins/heddle-drf-scheduler",
            "plugins/heddle-dynamic-priority-scheduler",
            "plugins/heddle-late-speculator");

    /** Each with its description and its sources. */
    private static final List<String> IN_THE_REPOSITORY =
            List.of("late-policy", "mesos-driver", "offers-client", "spark-offers", "testkit");

    private static final List<String> EXPECTED_FILES = List.of(
            "CHANGELOG.md",
            "LICENSE",
            "NOTICE",
            "README.md",
            "SECURITY.md",
            "bin/heddle",
            "completion/heddle.bash",
            "completion/heddle.zsh",
            "examples/ShellBatch.java",
            "examples/ring.c",
            "examples/solve.c",
            "lib/bridge/libraries",
            "lib/frameworks/libraries",
            "lib/install/libraries",
            "lib/late/libraries",
            "lib/market/libraries",
            "lib/pack/libraries",
            "lib/scheduler/libraries");

    @TempDir
    private Path directory;

    /** Entries without directories, below the one directory of the archive. */
    private static Map<String, TarArchiveEntry> files(Tarball archive) throws IOException {
        Map<String, TarArchiveEntry> files = new TreeMap<>();
        for (TarArchiveEntry entry : archive.entries()) {
            assertThat(entry.getName()).startsWith(archive.root());
            if (!entry.isDirectory()) {
                TarArchiveEntry twin =
                        files.put(entry.getName().substring(archive.root().length()), entry);
                assertThat(twin).as(entry.getName() + " is there twice").isNull();
            }
        }
        return files;
    }

    private static List<String> below(Path folder, String name) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> name + "/" + folder.relativize(file).toString())
                    .toList();
        }
    }

    @Test
    void itHasWhatIsExpectedAndNothingElse() throws IOException {
        Set<String> expected = new TreeSet<>(EXPECTED_FILES);
        expected.addAll(below(Path.of("src", "main", "licenses"), "licenses"));
        try (Stream<Path> samples = Files.list(Path.of("..", "conf-samples"))) {
            for (Path sample : samples.toList()) {
                String file = sample.getFileName().toString();
                // Not target: that module's tests may run at this time.
                if (!Set.of("pom.xml", "src", "target").contains(file)) {
                    String name = "conf-samples/" + file;
                    expected.addAll(Files.isDirectory(sample) ? below(sample, name) : List.of(name));
                }
            }
        }
        Set<String> seen = new TreeSet<>();
        for (String file : files(Tarball.WHOLE).keySet()) {
            if (!JAR.matcher(file).matches() && !file.startsWith("docs/") && !file.startsWith("maven/")) {
                seen.add(file);
            }
        }
        assertThat(seen).containsExactlyElementsOf(expected);
        assertThat(jars(Tarball.WHOLE))
                .as("a library that is there in two versions is there twice")
                .containsExactlyElementsOf(EXPECTED_JARS);
        assertThat(files(Tarball.WHOLE).keySet())
                .contains(
                        "docs/install.md",
                        "docs/commands.md",
                        "docs/config.md",
                        "docs/schemas/plan.schema.json",
                        "docs/schemas/problem.schema.json",
                        "docs/modules/offer-bridge-frameworks-spark.md");
    }

    /** Without the versions, of which all of our own are that of the archive. */
    private static List<String> jars(Tarball archive) throws IOException {
        List<String> jars = new ArrayList<>();
        for (String file : files(archive).keySet()) {
            Matcher jar = JAR.matcher(file);
            if (jar.matches() && !file.startsWith("maven/")) {
                jars.add(file.substring(0, jar.end(2)));
                if (jar.group(2).startsWith("heddle-")) {
                    assertThat(jar.group(3)).as(file).isEqualTo(Tarball.VERSION);
                }
            }
        }
        return jars;
    }

    @Test
    void theOneForAdministratorsHasNothingThatTheWholeOneHasNot() throws IOException {
        assertThat(jars(Tarball.SCHEDULER)).containsExactlyElementsOf(JARS_OF_THE_SCHEDULER);
        assertThat(files(Tarball.WHOLE).keySet())
                .containsAll(files(Tarball.SCHEDULER).keySet());
    }

    @Test
    void theMavenRepositoryHasEachJarWithItsDescriptionAndItsSources() throws IOException {
        Set<String> expected = new TreeSet<>();
        for (String artifact : IN_THE_REPOSITORY) {
            for (String end : List.of(".jar", ".pom", "-sources.jar")) {
                expected.add(inRepository(artifact, end));
            }
        }
        expected.add(inRepository("parent", ".pom"));
        Set<String> seen = new TreeSet<>(files(Tarball.WHOLE).keySet());
        seen.removeIf(file -> !file.startsWith("maven/"));
        assertThat(seen).isEqualTo(expected);
    }

    private static String inRepository(String artifact, String end) {
        String name = "heddle-" + artifact;
        return "maven/org/heddle/" + name + "/" + Tarball.VERSION + "/" + name + "-" + Tarball.VERSION + end;
    }

    /** What people have to download. */
    @Test
    void theyAreSmall() throws IOException {
        assertThat(Files.size(Tarball.WHOLE.file())).isLessThan(25_000_000);
        assertThat(Files.size(Tarball.SCHEDULER.file())).isLessThan(6_000_000);
    }

    @Test
    void itHasTheLibrariesThatTheCommandsHaveInABuiltTree() throws Exception {
        Map<String, String> folders = Map.of(
                "bridge", "offer-bridge/target/bridge-lib",
                "frameworks", "offer-bridge/frameworks/target/lib",
                "late", "late-speculator/target/lib",
                "market", "dynamic-priority-scheduler/target/lib",
                "pack", "packing-planner/target/lib",
                "scheduler", "drf-scheduler/target/lib");
        Path lib = Tarball.WHOLE.unpack(directory).resolve("lib");
        Set<String> used = new HashSet<>();
        for (Map.Entry<String, String> folder : folders.entrySet()) {
            List<String> named = Files.readAllLines(lib.resolve(folder.getKey()).resolve("libraries"));
            used.addAll(named);
            try (Stream<Path> built = Files.list(Path.of("..").resolve(folder.getValue()))) {
                assertThat(named)
                        .as(folder.getKey())
                        .containsExactlyInAnyOrderElementsOf(
                                built.map(jar -> jar.getFileName().toString()).toList());
            }
        }
        try (Stream<Path> common = Files.list(lib.resolve("common"))) {
            assertThat(common.map(jar -> jar.getFileName().toString())).containsExactlyInAnyOrderElementsOf(used);
        }
    }

    @Test
    void itDoesNotTellWhoBuiltItOrWhen() throws IOException {
        Set<FileTime> times = new HashSet<>();
        for (TarArchiveEntry entry : Tarball.WHOLE.entries()) {
            assertThat(entry.getLongUserId()).as(entry.getName()).isZero();
            assertThat(entry.getLongGroupId()).as(entry.getName()).isZero();
            assertThat(entry.getUserName()).isEqualTo("root");
            assertThat(entry.getGroupName()).isEqualTo("root");
            times.add(entry.getLastModifiedTime());
            boolean program = entry.getName().equals(Tarball.WHOLE.root() + "bin/heddle")
                    || entry.getName().endsWith(".sh");
            if (entry.isDirectory() || program) {
                assertThat(entry.getMode() & 0777).as(entry.getName()).isEqualTo(0755);
            } else if (!entry.isSymbolicLink()) {
                assertThat(entry.getMode() & 0777).as(entry.getName()).isEqualTo(0644);
            }
        }
        assertThat(times).hasSize(1);
    }

    @Test
    void everyLibraryHasItsLicence() throws Exception {
        Path root = Tarball.WHOLE.unpack(directory);
        Set<String> listed = new TreeSet<>();
        for (String line : Files.readAllLines(root.resolve("licenses/README.md"))) {
            Matcher library = LIBRARY.matcher(line);
            if (library.matches()) {
                for (String text : library.group(3).split(", ", -1)) {
                    assertThat(root.resolve("licenses").resolve(text.replace("`", "")))
                            .isNotEmptyFile();
                }
                if (library.group(2) == null) {
                    listed.add(library.group(1));
                }
            }
        }
        Set<String> shipped = new TreeSet<>();
        for (String file : files(Tarball.WHOLE).keySet()) {
            Matcher jar = JAR.matcher(file);
            if (jar.matches() && !jar.group(2).startsWith("heddle-")) {
                shipped.add(jar.group(2));
            }
        }
        assertThat(listed).isEqualTo(shipped);
        assertThat(Files.readString(root.resolve("NOTICE")))
                .contains(shipped.stream()
                        .filter(name -> name.matches("mesos|jackson.*|jgrapht.*|protobuf.*|re2j"))
                        .toList());
    }

    /** A page that is unpacked links to pages and files which were unpacked, too. */
    @ParameterizedTest
    @EnumSource
    void everyLinkBetweenPagesLeadsSomewhere(Tarball archive) throws Exception {
        Path root = archive.unpack(directory);
        List<String> broken = new ArrayList<>();
        Pattern link = Pattern.compile("\\]\\(([^)#]+)[^)]*\\)");
        try (Stream<Path> all = Files.walk(root)) {
            for (Path page : all.filter(file -> file.toString().endsWith(".md")).toList()) {
                Matcher links = link.matcher(Files.readString(page));
                while (links.find()) {
                    boolean outside = links.group(1).matches("[a-z]+:.*");
                    if (!outside && !Files.exists(page.resolveSibling(links.group(1)))) {
                        broken.add(root.relativize(page) + " -> " + links.group(1));
                    }
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    /** Blocks to copy from are for who has the archive; these commands are those of the source tree. */
    @ParameterizedTest
    @EnumSource
    void noPageShowsCommandsOfTheSourceTree(Tarball archive) throws Exception {
        Path root = archive.unpack(directory);
        List<String> strange = new ArrayList<>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path page : all.filter(file -> file.toString().endsWith(".md")).toList()) {
                for (String line : Files.readAllLines(page)) {
                    if (line.matches("(\\./|[.]ci/|benchmarks/bin/|offer-bridge/).*")) {
                        strange.add(root.relativize(page) + ": " + line);
                    }
                }
            }
        }
        assertThat(strange).isEmpty();
    }
}
