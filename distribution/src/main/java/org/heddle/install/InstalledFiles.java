// SPDX-License-Identifier: Apache-2.0
package org.heddle.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The list of what was copied into a Hadoop home, which is kept there: plugins, and files with their SHA-256. */
final class InstalledFiles {
    /** Below the Hadoop home. */
    static final String PLACE = "share/heddle/installed";

    private static final String FORMAT = "heddle-installed 1";

    private final String version;
    private final Set<Plugin> plugins;
    private final Map<String, String> files;

    /** @param files hashes by path below the Hadoop home, with slashes */
    InstalledFiles(String version, Set<Plugin> plugins, Map<String, String> files) {
        this.version = version;
        this.plugins = plugins.isEmpty() ? EnumSet.noneOf(Plugin.class) : EnumSet.copyOf(plugins);
        this.files = Collections.unmodifiableMap(new TreeMap<>(files));
    }

    String version() {
        return version;
    }

    Set<Plugin> plugins() {
        return Collections.unmodifiableSet(plugins);
    }

    Map<String, String> files() {
        return files;
    }

    boolean isEmpty() {
        return files.isEmpty();
    }

    /** Reads the list of a Hadoop home; an empty one where there is none. */
    static InstalledFiles read(Path home) throws IOException {
        Path file = home.resolve(PLACE);
        List<String> lines;
        try {
            lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            return new InstalledFiles("", Set.of(), Map.of());
        }
        if (lines.isEmpty() || !lines.get(0).equals(FORMAT)) {
            throw damaged(file, 1);
        }
        String version = "";
        Set<Plugin> plugins = EnumSet.noneOf(Plugin.class);
        Map<String, String> files = new TreeMap<>();
        for (int i = 1; i < lines.size(); i++) {
            String[] words = lines.get(i).split(" ", 3);
            if (words[0].equals("version") && words.length > 1) {
                version = lines.get(i).substring(words[0].length() + 1);
            } else if (words[0].equals("plugin") && words.length == 2) {
                plugins.add(plugin(words[1], file, i + 1));
            } else if (words[0].equals("file")
                    && words.length == 3
                    && words[1].matches("[0-9a-f]{64}")
                    && words[2].matches("share/hadoop/[a-z/]+/heddle-[A-Za-z0-9._+-]+[.]jar")) {
                files.put(words[2], words[1]);
            } else if (!words[0].startsWith("#")) {
                throw damaged(file, i + 1);
            }
        }
        return new InstalledFiles(version, plugins, files);
    }

    private static Plugin plugin(String name, Path file, int line) {
        for (Plugin plugin : Plugin.values()) {
            if (plugin.toString().equals(name)) {
                return plugin;
            }
        }
        throw damaged(file, line);
    }

    private static RefusedException damaged(Path file, int line) {
        return new RefusedException(String.format(
                Locale.ROOT,
                "%s, line %d: this is not a list which this version of heddle install wrote; remove the files that it"
                        + " names and the list itself by hand",
                file,
                line));
    }

    String text() {
        StringBuilder text = new StringBuilder(FORMAT)
                .append("\n# heddle uninstall removes these files.\nversion ")
                .append(version)
                .append('\n');
        plugins.forEach(plugin -> text.append("plugin ").append(plugin).append('\n'));
        files.forEach((file, hash) ->
                text.append("file ").append(hash).append(' ').append(file).append('\n'));
        return text.toString();
    }
}
