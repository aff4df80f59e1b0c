// SPDX-License-Identifier: Apache-2.0
package org.heddle.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.testkit.machine.SystemPackage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bridge's systemd unit: what it names is there, and systemd takes it where there is one. */
@Loads("offers/heddle-bridge.service")
class BridgeUnitTest {
    private static final Pattern COMMAND = Pattern.compile(
            "^ExecStart=/opt/heddle/(bin/[a-z-]+) bridge --conf /etc/heddle/([a-z.-]+)$", Pattern.MULTILINE);

    @TempDir
    Path directory;

    @Test
    void itsCommandAndItsDirectoryAreThoseOfTheSampleAndOfTheScripts() throws Exception {
        String unit = Samples.text("offers/heddle-bridge.service");
        Matcher command = COMMAND.matcher(unit);
        assertThat(command.find()).isTrue();
        assertThat(Samples.ROOT.resolveSibling(command.group(1))).isExecutable();
        Path conf = Path.of("offers", command.group(2));
        assertThat(Samples.site(conf).get("heddle.bridge.state.dir")).isEqualTo("/var/lib/heddle/bridge");
        assertThat(unit).contains("\nStateDirectory=heddle/bridge\n", "\nStateDirectoryMode=0700\n");
    }

    @Test
    void systemdTakesIt() throws Exception {
        SystemPackage.require("systemd-analyze", "systemd");
        Path unit = directory.resolve("heddle-bridge.service");
        // What is installed on the target machine only.
        Files.writeString(
                unit,
                Samples.text("offers/heddle-bridge.service")
                        .replaceFirst("ExecStart=/opt/heddle/bin/heddle bridge", "ExecStart=/bin/true"));
        Commands.Outcome verified =
                Commands.run(directory, Map.of(), "systemd-analyze", "verify", "--man=no", unit.toString());

        assertThat(verified.err()).doesNotContain("heddle-bridge.service");
        assertThat(verified.code()).as(verified.err()).isZero();
    }
}
