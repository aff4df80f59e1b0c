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

/** What is in the archive, and what is not. */
class TarballIT {
    private static final Pattern JAR = Pattern.compile("(.*/)?([A-Za-z][A-Za-z0-9-]*?)-([0-9][^/]*)[.]jar");
    /** A line of licenses/README.md. */
    private static final Pattern LIBRARY = Pattern.compile("\\| ([a-z0-9-]+)( [(]inside .*[)])? \\| .* \\| (`.*`) \\|");

    private static final List<String> EXPECTED_JARS = List.of(
            "client/heddle-late-policy",
            "client/heddle-mesos-driver",
            "client/heddle-offers-client",
            "client/heddle-spark-offers",
            "lib/bridge/heddle-journal",
            "lib/bridge/heddle-offer-bridge",
            "lib/bridge/heddle-settings",
            "lib/bridge/jackson-core",
            "lib/bridge/mesos",
            "lib/bridge/netty-buffer",
            "lib/bridge/netty-codec",
            "lib/bridge/netty-codec-http",
            "lib/bridge/netty-common",
            "lib/bridge/netty-handler",
            "lib/bridge/netty-resolver",
            "lib/bridge/netty-transport",
            "lib/bridge/netty-transport-native-unix-common",
            "lib/bridge/picocli",
            "lib/bridge/protobuf-java",
            "lib/bridge/re2j",
            "lib/frameworks/heddle-frameworks",
            "lib/frameworks/heddle-settings",
            "lib/frameworks/jackson-annotations",
            "lib/frameworks/jackson-core",
            "lib/frameworks/jackson-databind",
            "lib/frameworks/mesos",
            "lib/frameworks/picocli",
            "lib/frameworks/protobuf-java",
            "lib/install/heddle-distribution",
            "lib/install/picocli",
            "lib/late/picocli",
            "lib/market/commons-configuration2",
            "lib/market/commons-lang3",
            "lib/market/commons-logging",
            "lib/market/commons-text",
            "lib/market/heddle-settings",
            "lib/market/jackson-annotations",
            "lib/market/jackson-core",
            "lib/market/jackson-databind",
            "lib/market/picocli",
            "lib/pack-cpsat/heddle-packing-cpsat",
            "lib/pack/apfloat",
            "lib/pack/commons-configuration2",
            "lib/pack/commons-lang3",
            "lib/pack/commons-logging",
            "lib/pack/commons-text",
            "lib/pack/heddle-journal",
            "lib/pack/heddle-packing-planner",
            "lib/pack/heddle-settings",
            "lib/pack/jackson-annotations",
            "lib/pack/jackson-core",
            "lib/pack/jackson-databind",
            "lib/pack/jackson-dataformat-yaml",
            "lib/pack/jgrapht-core",
            "lib/pack/jheaps",
            "lib/pack/picocli",
            "lib/pack/snakeyaml",
            "lib/scheduler/commons-configuration2",
            "lib/scheduler/commons-lang3",
            "lib/scheduler/commons-logging",
            "lib/scheduler/commons-text",
            "lib/scheduler/jackson-core",
            "lib/scheduler/picocli",
            "lib/whatif/heddle-whatif",
            "plugins/heddle-drf-scheduler",
            "plugins/heddle-dynamic-priority-scheduler",
            "plugins/heddle-late-speculator");

    private static final List<String> EXPECTED_FILES = List.of(
            "CHANGELOG.md",
            "LICENSE",
            "NOTICE",
            "README.md",
            "bin/heddle",
            "client/ShellBatch.java",
            "client/ring.c",
            "client/solve.c",
            "completion/heddle.bash",
            "completion/heddle.zsh");

    @TempDir
    private Path directory;

    /** Entries without directories, below the one directory of the archive. */
    private static Map<String, TarArchiveEntry> files() throws IOException {
        Map<String, TarArchiveEntry> files = new TreeMap<>();
        for (TarArchiveEntry entry : Tarball.entries()) {
            assertThat(entry.getName()).startsWith(Tarball.ROOT);
            if (!entry.isDirectory()) {
                TarArchiveEntry twin = files.put(entry.getName().substring(Tarball.ROOT.length()), entry);
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
        List<String> jars = new ArrayList<>();
        for (String file : files().keySet()) {
            Matcher jar = JAR.matcher(file);
            if (jar.matches()) {
                jars.add(file.substring(0, jar.end(2)));
                if (jar.group(2).startsWith("heddle-")) {
                    assertThat(jar.group(3)).as(file).isEqualTo(Tarball.VERSION);
                }
            } else if (!file.startsWith("docs/")) {
                seen.add(file);
            }
        }
        assertThat(seen).containsExactlyElementsOf(expected);
        assertThat(jars)
                .as("a library that is there in two versions is there twice")
                .containsExactlyElementsOf(EXPECTED_JARS);
        assertThat(files().keySet()).contains("docs/install.md", "docs/commands.md", "docs/config.md");
    }

    @Test
    void itHasTheLibrariesThatTheCommandsHaveInABuiltTree() throws IOException {
        Map<String, String> folders = Map.of(
                "lib/bridge", "offer-bridge/target/bridge-lib",
                "lib/frameworks", "offer-bridge/frameworks/target/lib",
                "lib/late", "late-speculator/target/lib",
                "lib/market", "dynamic-priority-scheduler/target/lib",
                "lib/pack", "packing-planner/target/lib",
                "lib/scheduler", "drf-scheduler/target/lib");
        Set<String> files = files().keySet();
        for (Map.Entry<String, String> folder : folders.entrySet()) {
            Set<String> there = new HashSet<>();
            for (String file : files) {
                boolean own = file.contains("/heddle-") && !file.matches(".*/heddle-(settings|journal)-.*");
                if (file.startsWith(folder.getKey() + "/") && !own) {
                    there.add(file.substring(folder.getKey().length() + 1));
                }
            }
            try (Stream<Path> built = Files.list(Path.of("..").resolve(folder.getValue()))) {
                assertThat(there)
                        .as(folder.getKey())
                        .isEqualTo(Set.copyOf(
                                built.map(jar -> jar.getFileName().toString()).toList()));
            }
        }
    }

    @Test
    void itDoesNotTellWhoBuiltItOrWhen() throws IOException {
        Set<FileTime> times = new HashSet<>();
        for (TarArchiveEntry entry : Tarball.entries()) {
            assertThat(entry.getLongUserId()).as(entry.getName()).isZero();
            assertThat(entry.getLongGroupId()).as(entry.getName()).isZero();
            assertThat(entry.getUserName()).isEqualTo("root");
            assertThat(entry.getGroupName()).isEqualTo("root");
            times.add(entry.getLastModifiedTime());
            boolean program = entry.getName().equals(Tarball.ROOT + "bin/heddle")
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
        Path root = Tarball.unpack(directory);
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
        for (String file : files().keySet()) {
            Matcher jar = JAR.matcher(file);
            if (jar.matches() && !jar.group(2).startsWith("heddle-")) {
                shipped.add(jar.group(2));
            }
        }
        assertThat(listed).isEqualTo(shipped);
        assertThat(Files.readString(root.resolve("NOTICE")))
                .contains(shipped.stream()
                        .filter(name -> name.matches("mesos|jackson.*|jgrapht.*|protobuf.*|re2j|apfloat"))
                        .toList());
    }

    /** A page that is unpacked links to pages and files which were unpacked, too. */
    @Test
    void everyLinkBetweenPagesLeadsSomewhere() throws Exception {
        Path root = Tarball.unpack(directory);
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
}
