// SPDX-License-Identifier: Apache-2.0
package org.heddle.distribution;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import picocli.AutoComplete;

/**
 * Writes the shell completion of {@code heddle} from the classes of the commands. It runs in the build, without Hadoop
 * on its class path: a command whose options need Hadoop breaks the build here.
 */
public final class Completion {
    private static final String HEADER = "# SPDX-License-Identifier: Apache-2.0\n";

    private Completion() {}

    /** @param arguments the directory to write to */
    public static void main(String[] arguments) throws IOException, ClassNotFoundException {
        String script = HEADER
                + "# Completion for bash: put this line into ~/.bashrc:  source DIRECTORY/completion/heddle.bash\n"
                + AutoComplete.bash("heddle", Commands.all());
        Path directory = Files.createDirectories(Paths.get(arguments[0]));
        Files.write(directory.resolve("heddle.bash"), script.getBytes(StandardCharsets.UTF_8));
        String zsh = HEADER
                + "# Completion for zsh: put this line into ~/.zshrc:  source DIRECTORY/completion/heddle.zsh\n"
                + "autoload -U +X compinit && compinit\n"
                + "source \"${${(%):-%x}:A:h}/heddle.bash\"\n";
        Files.write(directory.resolve("heddle.zsh"), zsh.getBytes(StandardCharsets.UTF_8));
    }
}
