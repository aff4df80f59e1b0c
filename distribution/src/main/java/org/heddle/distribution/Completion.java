// SPDX-License-Identifier: Apache-2.0
package org.heddle.distribution;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.heddle.install.Main;
import picocli.AutoComplete;
import picocli.CommandLine;

/**
 * Writes the shell completion of {@code heddle} and of its older names from the classes of the commands. It runs in the
 * build, without Hadoop on its class path: a command whose options need Hadoop breaks the build here.
 */
public final class Completion {
    private static final String HEADER = "# SPDX-License-Identifier: Apache-2.0\n";
    private static final String SCHEDULER = "scheduler";
    /** Commands that have no older name, such as heddle-pack. */
    private static final Set<String> NEW = Set.of(SCHEDULER, "whatif", "batch", "webfarm");

    private Completion() {}

    /** @param arguments the directory to write to, then NAME=CLASS for each subcommand */
    public static void main(String[] arguments) throws IOException, ClassNotFoundException {
        Map<String, Class<?>> commands = new TreeMap<>();
        for (int i = 1; i < arguments.length; i++) {
            String[] sides = arguments[i].split("=", 2);
            commands.put(
                    sides[0],
                    Class.forName(sides[1], true, Thread.currentThread().getContextClassLoader()));
        }
        StringBuilder script = new StringBuilder(HEADER);
        script.append(
                "# Completion for bash: put this line into ~/.bashrc:  source DIRECTORY/completion/heddle.bash\n");
        script.append(AutoComplete.bash("heddle", everything(commands)));
        for (Map.Entry<String, Class<?>> command : commands.entrySet()) {
            if (!NEW.contains(command.getKey())) {
                String name = "heddle-" + command.getKey();
                script.append(AutoComplete.bash(name, new CommandLine(command.getValue())));
            }
        }
        Path directory = Files.createDirectories(Paths.get(arguments[0]));
        Files.write(directory.resolve("heddle.bash"), script.toString().getBytes(StandardCharsets.UTF_8));
        String zsh = HEADER
                + "# Completion for zsh: put this line into ~/.zshrc:  source DIRECTORY/completion/heddle.zsh\n"
                + "autoload -U +X compinit && compinit\n"
                + "source \"${${(%):-%x}:A:h}/heddle.bash\"\n";
        Files.write(directory.resolve("heddle.zsh"), zsh.getBytes(StandardCharsets.UTF_8));
    }

    /** What bin/heddle knows: install and uninstall, each command, and the scheduler's also without its name. */
    private static CommandLine everything(Map<String, Class<?>> commands) {
        CommandLine all = Main.commandLine();
        for (Map.Entry<String, Class<?>> command : commands.entrySet()) {
            all.addSubcommand(command.getKey(), new CommandLine(command.getValue()));
            if (command.getKey().equals(SCHEDULER)) {
                new CommandLine(command.getValue()).getSubcommands().forEach(all::addSubcommand);
            }
        }
        return all;
    }
}
