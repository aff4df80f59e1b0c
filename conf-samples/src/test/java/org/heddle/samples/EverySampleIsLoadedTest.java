// SPDX-License-Identifier: Apache-2.0
package org.heddle.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** "Every file is loaded by a test": a file here that no test loads fails this one. */
class EverySampleIsLoadedTest {
    private static final Path TESTS = Path.of("src", "test", "java", "org", "heddle", "samples");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)\\)");

    /** Tests of other modules, which read the program's own classes; each has to name the files. */
    private record Elsewhere(String test, String... names) {}

    private static final Map<String, Elsewhere> ELSEWHERE = new LinkedHashMap<>();

    static {
        ELSEWHERE.put(
                "late/mapred-site.xml",
                new Elsewhere(
                        "late-speculator/src/test/java/org/heddle/late/mr/LateSpeculatorTest.java",
                        "conf-samples/late/mapred-site.xml"));
        ELSEWHERE.put(
                "offers/{offer-bridge,standby}.xml",
                new Elsewhere(
                        "offer-bridge/src/test/java/org/heddle/offers/BridgeKeysTest.java",
                        "conf-samples/offers/offer-bridge.xml",
                        "conf-samples/offers/standby.xml"));
        ELSEWHERE.put(
                "packing/*.{json,yaml}",
                new Elsewhere(
                        "packing-planner/src/test/java/org/heddle/packing/cli/HeddlePackTest.java",
                        "\"conf-samples\", \"packing\"",
                        "newDirectoryStream(SAMPLES, \"*.{json,yaml}\")"));
    }

    @Test
    void noFileIsForgottenAndEachPatternFindsFiles() throws Exception {
        Map<String, String> loaders = loaders();
        Map<Path, String> loaded = new TreeMap<>();
        for (Map.Entry<String, String> loader : loaders.entrySet()) {
            List<Path> files = Samples.matching(loader.getKey());
            assertThat(files)
                    .as("files that %s loads as %s", loader.getValue(), loader.getKey())
                    .isNotEmpty();
            files.forEach(file -> loaded.put(file, loader.getValue()));
        }
        assertThat(Samples.all())
                .hasSizeGreaterThan(30)
                .allSatisfy(file -> assertThat(loaded)
                        .as("%s is loaded by no test: let one load it, and say so by @Loads", file)
                        .containsKey(file));
    }

    private static Map<String, String> loaders() throws IOException, ClassNotFoundException {
        Map<String, String> loaders = new LinkedHashMap<>();
        try (Stream<Path> sources = Files.list(TESTS)) {
            for (Path source : sources.sorted().toList()) {
                String name = source.getFileName().toString();
                Loads loads = Class.forName("org.heddle.samples." + name.substring(0, name.lastIndexOf('.')))
                        .getAnnotation(Loads.class);
                if (loads != null) {
                    Stream.of(loads.value()).forEach(glob -> loaders.put(glob, name));
                }
            }
        }
        for (Map.Entry<String, Elsewhere> entry : ELSEWHERE.entrySet()) {
            String test = entry.getValue().test();
            assertThat(Samples.ROOT.resolveSibling(test))
                    .content()
                    .contains(entry.getValue().names());
            loaders.put(entry.getKey(), test);
        }
        loaders.put("README.md", "this test");
        return loaders;
    }

    @Test
    void theReadmeLeadsToEveryDirectoryAndNowhereElse() throws IOException {
        Matcher links = LINK.matcher(Samples.text("README.md"));
        Map<String, Boolean> reached = new TreeMap<>();
        while (links.find()) {
            assertThat(Samples.file(links.group(1))).isDirectory();
            reached.put(links.group(1), true);
        }
        assertThat(Samples.all()).allSatisfy(file -> {
            Path top = file.getName(0);
            assertThat(file.getNameCount() == 1 || reached.containsKey(top.toString()))
                    .as("README.md names %s", top)
                    .isTrue();
        });
    }
}
