// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** docs/commands.md names every command of the market, and each option in the row of its command. */
@Tag("pure")
class CommandsDocTest {
    private static final Path DOC = Path.of("..", "docs", "commands.md");
    private static final String HEADING = "\n## heddle market\n";
    private static final Set<String> EVERYWHERE = Set.of("--help", "--version");

    @Test
    void everyCommandAndOptionIsInTheDocument() throws IOException {
        String document = Files.readString(DOC);
        int begin = document.indexOf(HEADING);
        assertThat(begin).as(HEADING).isPositive();
        List<String> section = document.substring(begin, document.indexOf("\n## ", begin + 1))
                .lines()
                .toList();
        List<String> missing = new ArrayList<>();
        for (CommandLine command :
                HeddleMarket.commandLine().getCommandSpec().subcommands().values()) {
            String name = command.getCommandName();
            String rows = section.stream()
                    .filter(line -> !line.startsWith("|") || line.contains("`" + name))
                    .collect(Collectors.joining("\n"));
            look(command.getCommandSpec(), rows, missing);
        }
        assertThat(missing).as("missing in %s", DOC).isEmpty();
    }

    private static void look(CommandSpec command, String text, List<String> missing) {
        if (!text.contains(command.name())) {
            missing.add(command.qualifiedName());
        }
        for (OptionSpec option : command.options()) {
            String name = option.longestName();
            if (!EVERYWHERE.contains(name) && !text.contains(name)) {
                missing.add(command.qualifiedName() + " " + name);
            }
        }
        command.subcommands().values().forEach(each -> look(each.getCommandSpec(), text, missing));
    }
}
