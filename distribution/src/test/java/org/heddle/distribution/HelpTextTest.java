// SPDX-License-Identifier: Apache-2.0
package org.heddle.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** One style of help for all commands: sentences, which name the default as "Default: X". */
class HelpTextTest {
    static Stream<CommandSpec> commands() throws ClassNotFoundException {
        List<CommandSpec> all = new ArrayList<>();
        add(Commands.all(), all);
        return all.stream();
    }

    private static void add(CommandLine command, List<CommandSpec> all) {
        all.add(command.getCommandSpec());
        command.getSubcommands().values().forEach(each -> add(each, all));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyTextIsASentence(CommandSpec command) {
        assertThat(command.usageMessage().description())
                .as(command.qualifiedName())
                .isNotEmpty();
        for (String text : command.usageMessage().description()) {
            assertThat(text).as(command.qualifiedName()).matches("(?s)[A-Z0-9].*[.:;,]");
        }
        for (ArgSpec argument : command.args()) {
            assertThat(String.join(" ", argument.description()))
                    .as("%s %s", command.qualifiedName(), argument)
                    .matches("(?s)[A-Z0-9~$].*\\.")
                    .doesNotContain("(default", "(${DEFAULT");
        }
        assertThat(command.optionsMap()).containsKeys("--help", "--version");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void aGroupOfCommandsDoesNothingByItself(CommandSpec command) {
        assertThat(command.subcommands().isEmpty()
                        || command.name().equals("keys")
                        || command.name().equals("income"))
                .as("%s: either commands inside, or work of its own", command.qualifiedName())
                .isEqualTo(command.userObject() instanceof Runnable
                        || command.userObject() instanceof java.util.concurrent.Callable
                        || command.userObject() instanceof java.lang.reflect.Method);
    }
}
