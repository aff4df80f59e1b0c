// SPDX-License-Identifier: Apache-2.0
package org.heddle.install;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.heddle.settings.command.Frame;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code heddle install}. */
@Command(
        name = "install",
        description = {
            "Copies plugin jars into a Hadoop home and lists them in its file " + InstalledFiles.PLACE + ".",
            "Jars of another version which it copied earlier are replaced. Nothing is switched on."
        })
final class InstallCommand implements Callable<Integer> {
    private static final String JAR_PROPERTY = "heddle.plugin.";

    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    @Option(
            names = "--hadoop-home",
            required = true,
            paramLabel = "DIR",
            description = "The directory of an unpacked Hadoop, with share/hadoop in it.")
    @SuppressWarnings("NullAway.Init") // injected
    private Path directory;

    @Option(
            names = "--plugin",
            paramLabel = "NAME",
            description = "Drf, market (with drf, which it needs) or late; may be given several times."
                    + " Plugins that are installed already stay. Default: those that are installed,"
                    + " or drf.")
    private Set<Plugin> wanted = EnumSet.noneOf(Plugin.class);

    @Option(names = "--dry-run", description = "Says what would be done, and does nothing.")
    private boolean dryRun;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        HadoopHome home = new HadoopHome(directory);
        home.check(Set.of());
        InstalledFiles before = InstalledFiles.read(home.directory());
        Set<Plugin> plugins = EnumSet.noneOf(Plugin.class);
        plugins.addAll(before.plugins());
        plugins.addAll(wanted);
        if (plugins.isEmpty()) {
            plugins.add(Plugin.DRF);
        }
        Set<String> folders = new TreeSet<>();
        plugins.forEach(plugin -> folders.add(plugin.folder()));
        home.check(folders);
        Map<String, Path> sources = sources(plugins);
        refuseStrangers(home, before);

        List<String> copied = new ArrayList<>();
        Map<String, String> files = new TreeMap<>();
        for (Map.Entry<String, Path> source : sources.entrySet()) {
            String hash = HadoopHome.sha256(source.getValue());
            files.put(source.getKey(), hash);
            boolean there = Files.exists(home.resolve(source.getKey()))
                    && hash.equals(before.files().get(source.getKey()));
            if (!there) {
                copied.add(source.getKey());
            }
        }
        List<String> removed = new ArrayList<>();
        for (String file : before.files().keySet()) {
            if (!files.containsKey(file) && Files.exists(home.resolve(file))) {
                removed.add(file);
            }
        }
        InstalledFiles after = new InstalledFiles(Frame.version(Main.class), plugins, files);
        boolean same = copied.isEmpty() && removed.isEmpty() && after.text().equals(before.text());
        if (!same && !dryRun) {
            change(home, after, sources, copied, removed);
        }
        tell(home, files.keySet(), copied, removed, out);
        NextSteps.print(home, plugins, out);
        out.flush();
        return 0;
    }

    /** Where each jar goes, and where it is now. */
    private static Map<String, Path> sources(Set<Plugin> plugins) {
        Map<String, Path> sources = new TreeMap<>();
        for (Plugin plugin : plugins) {
            for (String artifact : plugin.artifacts()) {
                String jar = System.getProperty(JAR_PROPERTY + artifact);
                if (jar == null || !Files.isReadable(Path.of(jar))) {
                    throw new RefusedException("the jar heddle-" + artifact
                            + " is missing; start this command with bin/heddle of an" + " unpacked distribution");
                }
                Path source = Path.of(jar);
                sources.put(plugin.folder() + "/" + source.getFileName(), source);
            }
        }
        return sources;
    }

    /**
     * Two versions of a plugin on one class path are worse than none, and what others changed is not ours to replace.
     */
    private static void refuseStrangers(HadoopHome home, InstalledFiles before) throws IOException {
        for (String stranger : home.foreign(before)) {
            throw new RefusedException(home.resolve(stranger)
                    + " is there, and heddle install did not copy it; remove it, or the class path would have two");
        }
        for (Map.Entry<String, String> file : before.files().entrySet()) {
            Path place = home.resolve(file.getKey());
            if (Files.exists(place) && !HadoopHome.sha256(place).equals(file.getValue())) {
                throw new RefusedException(
                        place + " was changed after heddle install copied it; move it away, then install again");
            }
        }
    }

    private static void change(
            HadoopHome home, InstalledFiles after, Map<String, Path> sources, List<String> copied, List<String> removed)
            throws IOException {
        Path list = home.resolve(InstalledFiles.PLACE);
        Set<Path> places = new TreeSet<>(Set.of(list));
        copied.forEach(file -> places.add(home.resolve(file)));
        removed.forEach(file -> places.add(home.resolve(file)));
        Permissions.require(places);
        Permissions.guarded(home, changes -> {
            Path folder = list.getParent();
            if (folder != null) {
                changes.directory(folder);
            }
            for (String file : removed) {
                changes.remove(home.resolve(file));
            }
            for (Map.Entry<String, Path> source : sources.entrySet()) {
                if (copied.contains(source.getKey())) {
                    changes.copy(source.getValue(), home.resolve(source.getKey()));
                }
            }
            changes.write(after.text(), list);
        });
    }

    private void tell(HadoopHome home, Set<String> files, List<String> copied, List<String> removed, PrintWriter out)
            throws IOException {
        String tense = dryRun ? "would be " : "";
        for (String file : removed) {
            out.println(tense + "removed  " + home.resolve(file));
        }
        for (String file : files) {
            if (copied.contains(file)) {
                out.println(tense + "copied   " + home.resolve(file));
            } else {
                out.println("is there  " + home.resolve(file));
            }
        }
        String version = home.untestedVersion();
        if (!version.isEmpty()) {
            spec.commandLine()
                    .getErr()
                    .println("heddle install: this is Hadoop " + version
                            + "; Heddle was tested with Hadoop 3.4 and 3.5 only");
        }
    }
}
