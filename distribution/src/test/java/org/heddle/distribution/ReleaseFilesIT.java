// SPDX-License-Identifier: Apache-2.0
package org.heddle.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the profile dist adds to the archive. */
@Tag("dist")
class ReleaseFilesIT {
    private static final Path FOLDER = Path.of("target", "dist");
    private static final List<String> PUBLISHED = List.of(
            "distribution",
            "drf-scheduler",
            "dynamic-priority-scheduler",
            "frameworks",
            "journal",
            "late-policy",
            "late-speculator",
            "mesos-driver",
            "offer-bridge",
            "offers-client",
            "packing-cpsat",
            "packing-planner",
            "spark-offers",
            "testkit",
            "whatif");

    private static Set<String> names() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    @Test
    void everythingIsThereAndHasItsChecksum() throws Exception {
        Set<String> expected = new TreeSet<>();
        for (Tarball archive : Tarball.values()) {
            expected.add(archive.file().getFileName().toString());
        }
        expected.add("heddle-" + Tarball.VERSION + "-sbom.json");
        expected.add("heddle-" + Tarball.VERSION + "-sbom.xml");
        for (String module : PUBLISHED) {
            expected.add("heddle-" + module + "-" + Tarball.VERSION + "-sources.jar");
            expected.add("heddle-" + module + "-" + Tarball.VERSION + "-javadoc.jar");
        }
        for (String file : List.copyOf(expected)) {
            expected.add(file + ".sha512");
            String hash = HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-512").digest(Files.readAllBytes(FOLDER.resolve(file))));
            assertThat(Files.readString(FOLDER.resolve(file + ".sha512")).strip())
                    .isEqualTo(hash + "  " + file);
        }
        assertThat(names()).isEqualTo(expected);
        for (Tarball archive : Tarball.values()) {
            assertThat(Files.mismatch(FOLDER.resolve(archive.file().getFileName()), archive.file()))
                    .isEqualTo(-1);
        }
    }

    @Test
    void theBillOfMaterialsNamesWhatIsInTheArchive() throws Exception {
        Set<String> shipped = new TreeSet<>();
        // Inside the jars of the dynamic-priority scheduler and of the driver for Mesos' old API.
        shipped.addAll(List.of(
                "structured-fields-0.4.jar",
                "slf4j-api-1.7.36.jar",
                "slf4j-nop-1.7.36.jar",
                "zookeeper-3.8.6.jar",
                "zookeeper-jute-3.8.6.jar"));
        for (TarArchiveEntry entry : Tarball.WHOLE.entries()) {
            String name = entry.getName();
            boolean library = name.endsWith(".jar") && !name.endsWith("-sources.jar");
            if (library && !name.contains("/heddle-distribution-")) {
                shipped.add(name.substring(name.lastIndexOf('/') + 1));
            }
        }
        Set<String> named = new TreeSet<>();
        List<String> withoutLicence = new ArrayList<>();
        JsonNode bill = new ObjectMapper()
                .readTree(FOLDER.resolve("heddle-" + Tarball.VERSION + "-sbom.json")
                        .toFile());
        for (JsonNode component : bill.get("components")) {
            String jar = component.get("name").asText() + "-"
                    + component.get("version").asText() + ".jar";
            named.add(jar);
            if (component.path("licenses").isEmpty()) {
                withoutLicence.add(jar);
            }
        }
        assertThat(named).isEqualTo(shipped);
        assertThat(withoutLicence).isEmpty();
    }
}
