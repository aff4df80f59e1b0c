// SPDX-License-Identifier: Apache-2.0
package org.heddle.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.market.cli.HeddleMarket;
import org.heddle.testkit.machine.SystemPackage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.ParseResult;

/**
 * The systemd unit of a market agent: its command exists with these options, and systemd takes it where there is one.
 */
@Loads("market/heddle-market-agent@.service")
class MarketAgentUnitTest {
    private static final String UNIT = "market/heddle-market-agent@.service";
    private static final Pattern COMMAND =
            Pattern.compile("^ExecStart=/opt/heddle/(bin/[a-z-]+) market (\\w+) \\$AGENT$", Pattern.MULTILINE);
    private static final Pattern EXAMPLE = Pattern.compile("^# +AGENT=(.+)$", Pattern.MULTILINE);

    @TempDir
    Path directory;

    @Test
    void theCommandAndTheExampleAreThoseOfTheScript() throws Exception {
        String unit = Samples.text(UNIT);
        Matcher command = COMMAND.matcher(unit);
        Matcher example = EXAMPLE.matcher(unit);
        assertThat(command.find()).isTrue();
        assertThat(example.find()).isTrue();
        assertThat(Samples.ROOT.resolveSibling(command.group(1))).isExecutable();
        List<String> words = new ArrayList<>(List.of(command.group(2)));
        words.addAll(Arrays.asList(example.group(1).split(" ", -1)));

        ParseResult agent = HeddleMarket.commandLine()
                .parseArgs(words.toArray(String[]::new))
                .subcommand();

        assertThat(agent.commandSpec().name()).isEqualTo("agent");
        assertThat(agent.subcommand().commandSpec().name()).isEqualTo("deadline");
    }

    @Test
    void systemdTakesIt() throws Exception {
        SystemPackage.require("systemd-analyze", "systemd");
        Path unit = directory.resolve("heddle-market-agent@night.service");
        // What is installed on the target machine only.
        Files.writeString(
                unit,
                Samples.text(UNIT).replaceFirst("ExecStart=/opt/heddle/bin/heddle market", "ExecStart=/bin/true"));
        Commands.Outcome verified =
                Commands.run(directory, Map.of(), "systemd-analyze", "verify", "--man=no", unit.toString());

        assertThat(verified.err()).doesNotContain("heddle-market-agent@");
        assertThat(verified.code()).as(verified.err()).isZero();
    }
}
