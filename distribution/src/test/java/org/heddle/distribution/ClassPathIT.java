// SPDX-License-Identifier: Apache-2.0
package org.heddle.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each plugin jar beside all the jars of Hadoop's ResourceManager and of MapReduce's ApplicationMaster. */
class ClassPathIT {
    private static final String VERSIONED = "META-INF/versions/[0-9]+/";

    @TempDir
    private Path directory;

    private static Set<String> files(Path jar) throws IOException {
        Set<String> files = new TreeSet<>();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            zip.stream().filter(entry -> !entry.isDirectory()).forEach(entry -> files.add(entry.getName()));
        }
        return files;
    }

    private static Map<String, Path> hadoop(String line) throws IOException {
        String classPath = Files.readString(Path.of("../acceptance/hadoop-" + line, "target", "hadoop.jars"))
                .strip();
        Map<String, Path> owners = new HashMap<>();
        for (String jar : classPath.split(File.pathSeparator, -1)) {
            for (String file : files(Path.of(jar))) {
                if (file.endsWith(".class") || file.startsWith("META-INF/services/")) {
                    owners.put(file.replaceFirst(VERSIONED, ""), Path.of(jar).getFileName());
                }
            }
        }
        assertThat(owners)
                .containsKeys(
                        "org/apache/hadoop/yarn/server/resourcemanager/ResourceManager.class",
                        "org/apache/hadoop/mapreduce/v2/app/MRAppMaster.class",
                        "org/apache/hadoop/hdfs/DistributedFileSystem.class");
        assertThat(String.valueOf(owners.get("org/apache/hadoop/yarn/server/resourcemanager/ResourceManager.class")))
                .startsWith("hadoop-yarn-server-resourcemanager-" + line);
        return owners;
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.5", "3.4"})
    void noPluginBringsAClassThatHadoopHas(String line) throws Exception {
        Map<String, Path> hadoop = hadoop(line);
        Path plugins = Tarball.WHOLE.unpack(directory).resolve("plugins");
        for (String plugin : List.of("drf-scheduler", "dynamic-priority-scheduler", "late-speculator")) {
            Set<String> files = files(plugins.resolve("heddle-" + plugin + "-" + Tarball.VERSION + ".jar"));
            assertThat(files).as(plugin).anyMatch(file -> file.startsWith("org/heddle/"));
            for (String file : files) {
                String name = file.replaceFirst(VERSIONED, "");
                boolean code = name.endsWith(".class");
                assertThat(!code || name.startsWith("org/heddle/"))
                        .as(plugin + " brings " + file)
                        .isTrue();
                assertThat(hadoop.get(name))
                        .as(plugin + " brings " + file + ", as Hadoop does")
                        .isNull();
            }
        }
    }

    /** Two of ours beside each other on the ResourceManager's class path. */
    @Test
    void noTwoPluginsBringTheSameClass() throws Exception {
        Path plugins = Tarball.WHOLE.unpack(directory).resolve("plugins");
        Map<String, String> owners = new HashMap<>();
        for (String plugin : List.of("drf-scheduler", "dynamic-priority-scheduler", "late-speculator")) {
            for (String file : files(plugins.resolve("heddle-" + plugin + "-" + Tarball.VERSION + ".jar"))) {
                if (file.endsWith(".class")) {
                    assertThat(owners.put(file, plugin)).as(file).isNull();
                }
            }
        }
    }

    /** The policy as a library is the one that the plug-in contains, and needs nothing else. */
    @Test
    void theSpeculatorContainsTheClassesOfThePolicysJar() throws Exception {
        Path archive = Tarball.WHOLE.unpack(directory);
        Set<String> library = classes(archive.resolve("lib/common/heddle-late-policy-" + Tarball.VERSION + ".jar"));
        Set<String> plugin = classes(archive.resolve("plugins/heddle-late-speculator-" + Tarball.VERSION + ".jar"));
        assertThat(library).contains("org/heddle/late/policy/LatePolicy.class");
        plugin.removeIf(name -> !name.startsWith("org/heddle/late/policy/"));
        assertThat(plugin).isEqualTo(library);
    }

    private static Set<String> classes(Path jar) throws IOException {
        return files(jar).stream().filter(file -> file.endsWith(".class")).collect(Collectors.toSet());
    }
}
