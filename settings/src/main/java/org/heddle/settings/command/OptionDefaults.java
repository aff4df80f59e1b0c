// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.heddle.settings.ConfigKey;
import org.heddle.settings.LayeredSettings;
import org.heddle.settings.ValueKind;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * Defaults of options from the environment, from system properties and from {@code ~/.heddle/heddle.properties}, in
 * this order. The option {@code --time-limit} of {@code heddle pack plan} is {@code heddle.pack.plan.time-limit}, or
 * {@code heddle.pack.time-limit} for all commands that have it; in the environment {@code HEDDLE_PACK_TIME_LIMIT}.
 * Options without a value, and those that are given several times, have no such names.
 */
public final class OptionDefaults implements IDefaultValueProvider {
    private static final String PREFIX = "heddle.";
    /** What follows the prefix in names of other commands. */
    private static final Set<String> GROUPS = Set.of("market", "pack", "late", "bridge");

    private final String group;
    private final Path file;
    private final Properties properties;
    private final Map<String, String> environment;
    private final Map<String, ConfigKey<?>> keys = new TreeMap<>();
    private @Nullable LayeredSettings settings;

    private OptionDefaults(String group, Path file, Properties properties, Map<String, String> environment) {
        this.group = group;
        this.file = file;
        this.properties = properties;
        this.environment = environment;
    }

    /**
     * Gives a command and its subcommands these defaults.
     *
     * @param group what stands between {@code heddle} and the subcommand; empty if nothing does
     */
    public static void install(CommandLine line, String group) {
        Path file = Path.of(System.getProperty("user.home", ""), ".heddle", "heddle.properties");
        install(line, group, file, System.getProperties(), System.getenv());
    }

    /** As {@link #install(CommandLine, String)}, with a file, properties and an environment of the caller's. */
    public static void install(
            CommandLine line, String group, Path file, Properties properties, Map<String, String> environment) {
        OptionDefaults defaults = new OptionDefaults(group, file, properties, environment);
        defaults.define(line.getCommandSpec());
        line.setDefaultValueProvider(defaults);
        CommandLine.IParameterExceptionHandler usual = line.getParameterExceptionHandler();
        line.setParameterExceptionHandler((e, args) -> usual.handleParseException(defaults.explained(e, args), args));
    }

    /** The text that is set for an option; null leaves the default that the option itself has. */
    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        if (!takesOneText(argument)) {
            return null;
        }
        try {
            LayeredSettings read = read();
            for (String name : names((OptionSpec) argument)) {
                String text = read.text(name);
                if (text != null) {
                    return text;
                }
            }
            return null;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(argument.command().commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private static boolean takesOneText(ArgSpec argument) {
        return argument.isOption()
                && argument.arity().max() == 1
                && (!argument.isMultiValue() || !argument.splitRegex().isEmpty())
                && argument.typeInfo().getType() != boolean.class
                && argument.typeInfo().getType() != Boolean.class;
    }

    private void define(CommandSpec command) {
        for (OptionSpec option : command.options()) {
            if (takesOneText(option)) {
                for (String name : names(option)) {
                    keys.put(name, new ConfigKey<>(name, ValueKind.TEXT, "", String.join(" ", option.description())));
                }
            }
        }
        command.subcommands().values().forEach(each -> define(each.getCommandSpec()));
    }

    /** The most special name first. */
    private List<String> names(OptionSpec option) {
        String path = "";
        for (CommandSpec each = option.command(); each.parent() != null; each = each.parent()) {
            path = each.name() + "." + path;
        }
        String common = group.isEmpty() ? PREFIX : PREFIX + group + ".";
        List<String> names = new ArrayList<>();
        for (String start : path.isEmpty() ? List.of(common) : List.of(common + path, common)) {
            for (String name : option.names()) {
                if (name.startsWith("--")) {
                    names.add(start + name.substring(2));
                }
            }
        }
        return names;
    }

    private LayeredSettings read() {
        LayeredSettings read = settings;
        if (read == null) {
            refuseUnknown();
            read = LayeredSettings.builder(PREFIX, keys.values())
                    .environment(environment)
                    .systemProperties(properties)
                    .file(file)
                    .build();
            settings = read;
        }
        return read;
    }

    /** System properties and environment have names of other programs, too: only the file is checked. */
    private void refuseUnknown() {
        LayeredSettings own =
                LayeredSettings.builder(PREFIX, keys.values()).file(file).build();
        for (Iterator<String> names = own.configuration().getKeys(); names.hasNext(); ) {
            String name = names.next();
            String second = name.substring(PREFIX.length()).replaceFirst("\\..*", "");
            boolean ours = group.isEmpty() ? !GROUPS.contains(second) : second.equals(group);
            if (ours && !keys.containsKey(name)) {
                throw new IllegalArgumentException(file + " sets " + name + ", which is no option of this command; "
                        + "the names are " + String.join(", ", keys.keySet()));
            }
        }
    }

    /** Says where a wrong value is set, unless it is on the command line. */
    private ParameterException explained(ParameterException e, String[] args) {
        ArgSpec argument = e.getArgSpec();
        LayeredSettings read = settings;
        if (read == null || argument == null || !takesOneText(argument)) {
            return e;
        }
        OptionSpec option = (OptionSpec) argument;
        boolean given = Arrays.stream(args)
                .anyMatch(arg -> Arrays.stream(option.names()).anyMatch(name -> arg.split("=", 2)[0].equals(name)));
        if (!given) {
            for (String name : names(option)) {
                String origin = read.origin(name);
                if (!origin.isEmpty()) {
                    return new ParameterException(
                            e.getCommandLine(), e.getMessage() + "; it is " + name + origin, argument, e.getValue());
                }
            }
        }
        return e;
    }
}
