// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.heddle.packing.RandomProblems;
import org.heddle.packing.SearchSteps;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.phased.PhasedPlanner;
import org.heddle.testkit.SystemPackage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** libvirt's own validator on what we write for it. */
class LibvirtSchemaTest {
    @TempDir
    private Path directory;

    @Test
    void domainsKeepLibvirtsSchema() throws Exception {
        SystemPackage.require("xmllint", "libxml2-utils"); // virt-xml-validate calls it
        Path validator = SystemPackage.require("virt-xml-validate", "libvirt-clients");
        Problem problem = RandomProblems.of(11, 4, 2, 2);
        Plan plan = new PhasedPlanner().plan(problem, SearchSteps.limit(100_000));
        Map<String, String> files = new LibvirtExport(
                        problem, plan, new LibvirtExport.Host(4, 1024, "/images/{vm}.qcow2", "/dev/disk{disk}"))
                .files();
        int domains = 0;
        for (Map.Entry<String, String> file : files.entrySet()) {
            if (file.getKey().endsWith(".xml")) {
                Path written = Files.writeString(directory.resolve(file.getKey()), file.getValue());
                Process process = new ProcessBuilder(validator.toString(), written.toString(), "domain")
                        .redirectErrorStream(true)
                        .start();
                String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(process.waitFor()).as(told + file.getValue()).isZero();
                domains++;
            }
        }
        assertThat(domains).isGreaterThan(2);
    }
}
