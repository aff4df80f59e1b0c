// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.command;

import java.io.PrintWriter;
import java.lang.reflect.Method;
import java.nio.charset.Charset;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.Function;
import org.heddle.settings.Sentences;
import picocli.CommandLine;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * What all commands have in common: {@code --help} and {@code --version}, one form of messages, one sentence for a
 * wrong command line, and exit codes: 0 done; {@link CommandException#FAILED}; {@link CommandException#WRONG}. A
 * command throws, and its frame says {@code heddle NAME: sentence} on standard error.
 */
public final class Frame {
    private Frame() {}

    /**
     * A command line in its frame.
     *
     * @param name as users type it, such as {@code heddle pack}
     */
    public static CommandLine of(String name, Object command) {
        return around(name, new CommandLine(command));
    }

    /** The same for a command line that has all its subcommands. */
    public static CommandLine around(String name, CommandLine line) {
        line.setCommandName(name);
        dress(line);
        numbers(line);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setOut(new PrintWriter(System.out, true, Charset.defaultCharset()));
        line.setErr(new PrintWriter(System.err, true, Charset.defaultCharset()));
        line.setParameterExceptionHandler((e, args) -> wrong(e));
        line.setExecutionExceptionHandler((e, at, parsed) -> failed(e, at));
        return line;
    }

    private static void dress(CommandLine line) {
        CommandSpec spec = line.getCommandSpec();
        // The library takes these two for the first options of a method, so a method has them by its annotation.
        if (!(spec.userObject() instanceof Method)) {
            spec.mixinStandardHelpOptions(true);
        }
        spec.versionProvider(new Version(spec));
        spec.usageMessage().synopsisSubcommandLabel("COMMAND");
        line.getSubcommands().values().forEach(Frame::dress);
    }

    /** The library's own messages name types of Java. */
    private static void numbers(CommandLine line) {
        number(line, Integer.class, int.class, Integer::valueOf, "a whole number");
        number(line, Long.class, long.class, Long::valueOf, "a whole number");
        number(line, Double.class, double.class, Double::valueOf, "a number, for example 90 or 1.5");
    }

    private static <N extends Number> void number(
            CommandLine line, Class<N> type, Class<N> primitive, Function<String, N> parser, String what) {
        CommandLine.ITypeConverter<N> converter = text -> {
            try {
                return parser.apply(text.strip());
            } catch (NumberFormatException e) {
                boolean large = text.strip().matches("[+-]?[0-9]{10,}");
                throw new TypeConversionException("'" + text + "': must be " + what + (large ? ", is too large" : ""));
            }
        };
        line.registerConverter(type, converter);
        line.registerConverter(primitive, converter);
    }

    /** {@code heddle pack}, for {@code heddle pack plan}: what messages begin with. */
    public static String name(CommandSpec spec) {
        String[] words = spec.qualifiedName().split(" ", 3);
        return words.length < 2 ? words[0] : words[0] + " " + words[1];
    }

    /** The version in the manifest of a class's jar. */
    public static String version(Class<?> type) {
        String version = type.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }

    private static int wrong(ParameterException e) {
        CommandLine line = e.getCommandLine();
        CommandSpec spec = line.getCommandSpec();
        line.getErr().println(name(spec) + ": " + problem(e) + "; see " + spec.qualifiedName() + " --help");
        return CommandException.WRONG;
    }

    private static String problem(ParameterException e) {
        if (e instanceof UnmatchedArgumentException) {
            return unknown((UnmatchedArgumentException) e);
        }
        String text = String.valueOf(e.getMessage()).replaceAll("\\s*\\R\\s*", "; ");
        if (text.startsWith("Missing required subcommand")) {
            return "name a command: "
                    + String.join(
                            ", ",
                            new TreeSet<>(e.getCommandLine().getSubcommands().keySet()));
        }
        // The library begins with a capital letter, and so do names.
        boolean own = text.matches("(Invalid|Missing|Unmatched|Expected|Error|Option|Unknown|Cannot)\\b[\\s\\S]*");
        return own ? text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1) : text;
    }

    private static String unknown(UnmatchedArgumentException e) {
        String argument = e.getUnmatched().get(0);
        List<String> similar = new ArrayList<>(e.getSuggestions());
        String what = "one argument too many is ";
        if (e.isUnknownOption()) {
            what = "unknown option ";
        } else if (!e.getCommandLine().getSubcommands().isEmpty()) {
            what = "unknown command ";
        } else {
            similar.clear();
        }
        String hint = similar.isEmpty() ? "" : " (did you mean " + String.join(" or ", similar) + "?)";
        return what + argument + hint;
    }

    private static int failed(Exception e, CommandLine line) {
        line.getOut().flush();
        Sentences.of(e).lines().forEach(text -> line.getErr().println(name(line.getCommandSpec()) + ": " + text));
        if (e instanceof CommandException) {
            return ((CommandException) e).exitCode();
        }
        boolean input = e instanceof IllegalArgumentException || e instanceof FileSystemException;
        return input ? CommandException.WRONG : CommandException.FAILED;
    }

    /** The version in the manifest of the command's jar. */
    private static final class Version implements IVersionProvider {
        private final CommandSpec spec;

        Version(CommandSpec spec) {
            this.spec = spec;
        }

        @Override
        public String[] getVersion() {
            return new String[] {
                name(spec) + " " + version(spec.root().userObject().getClass())
            };
        }
    }
}
