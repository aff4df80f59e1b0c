// SPDX-License-Identifier: Apache-2.0
package org.heddle.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every key, in comments too, stands in the classes of Spark 3.5 that define keys. */
@Loads("spark/spark-defaults.conf")
class SparkDefaultsTest {
    private static final Pattern LINE = Pattern.compile("^#?(spark\\.\\S+)\\s+(\\S+)$", Pattern.MULTILINE);
    /** Keys that go on with the name of a variable. */
    private static final List<String> FAMILIES = List.of("spark.yarn.appMasterEnv.", "spark.executorEnv.");

    /** The jars are on the class path without what they need: nothing of Spark is run. */
    private static String classes() throws IOException {
        StringBuilder all = new StringBuilder();
        for (String entry : System.getProperty("java.class.path").split(":", -1)) {
            if (Path.of(entry).getFileName().toString().matches("spark-(core|yarn|launcher)_.*\\.jar")) {
                try (JarFile jar = new JarFile(entry)) {
                    for (JarEntry each : jar.stream()
                            .filter(file -> file.getName()
                                    .matches("org/apache/spark/.*(config|Client|SparkConf|SparkLauncher).*"))
                            .toList()) {
                        // Constants stand in a class file as they are written, as long as they are ASCII.
                        all.append(new String(jar.getInputStream(each).readAllBytes(), StandardCharsets.ISO_8859_1))
                                .append('\n');
                    }
                }
            }
        }
        return all.toString();
    }

    private static boolean defined(String key, String classes) {
        // The length of a constant stands before it: so a key is not taken for the beginning of a longer one.
        char low = (char) (key.length() & 0xff);
        char high = (char) (key.length() >> 8);
        return classes.contains("\u0001" + high + low + key);
    }

    @Test
    void everyKeyIsOneOfSparks() throws Exception {
        String classes = classes();
        assertThat(defined("spark.executor.cores", classes)).isTrue();
        assertThat(defined("spark.executor.core", classes)).isFalse();
        Matcher line = LINE.matcher(Samples.text("spark/spark-defaults.conf"));
        TreeSet<String> keys = new TreeSet<>();
        while (line.find()) {
            keys.add(line.group(1));
        }
        assertThat(keys)
                .hasSizeGreaterThan(15)
                .allSatisfy(key -> assertThat(FAMILIES.stream().anyMatch(key::startsWith) || defined(key, classes))
                        .as("%s is a key of Spark 3.5", key)
                        .isTrue());
    }

    @Test
    void itIsReadAsSparkReadsIt() throws Exception {
        Properties properties = new Properties(); // Utils.getPropertiesFromFile loads it so
        properties.load(new StringReader(Samples.text("spark/spark-defaults.conf")));
        assertThat(properties)
                .containsEntry("spark.master", "yarn")
                .containsEntry("spark.dynamicAllocation.enabled", "true")
                .containsEntry("spark.dynamicAllocation.shuffleTracking.enabled", "true");
        assertThat(Arrays.asList(properties.keySet().toArray()))
                .allSatisfy(key -> assertThat(key.toString()).startsWith("spark."));
    }
}
