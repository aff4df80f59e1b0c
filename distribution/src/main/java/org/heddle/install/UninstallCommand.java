// SPDX-License-Identifier: Apache-2.0
package org.heddle.install;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code heddle uninstall}. */
@Command(
        name = "uninstall",
        description = {
            "Removes the files which heddle install copied into a Hadoop home, and no others.",
            "A file that was changed since is left and named. Exit code 1: a file was left."
        })
final class UninstallCommand implements Callable<Integer> {
    private static final Pattern OUR_CLASS = Pattern.compile("org[.]heddle[.]");

    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    @Option(
            names = "--hadoop-home",
            required = true,
            paramLabel = "DIR",
            description = "The directory that was given to heddle install.")
    @SuppressWarnings("NullAway.Init") // injected
    private Path directory;

    @Option(names = "--dry-run", description = "Says what would be done, and does nothing.")
    private boolean dryRun;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        HadoopHome home = new HadoopHome(directory);
        home.check(Set.of());
        Path list = home.resolve(InstalledFiles.PLACE);
        if (!Files.exists(list)) {
            out.println("There is nothing to remove: " + list + " does not exist.");
            out.flush();
            return 0;
        }
        InstalledFiles before = InstalledFiles.read(home.directory());
        for (String property : home.properties(OUR_CLASS)) {
            err.println("heddle uninstall: warning: " + property
                    + " names a class which will be gone; change it before the next restart");
        }
        List<String> removed = new ArrayList<>();
        Map<String, String> kept = new TreeMap<>();
        for (Map.Entry<String, String> file : before.files().entrySet()) {
            Path place = home.resolve(file.getKey());
            if (!Files.exists(place)) {
                err.println("heddle uninstall: " + place + " is missing already");
            } else if (HadoopHome.sha256(place).equals(file.getValue())) {
                removed.add(file.getKey());
            } else {
                err.println("heddle uninstall: " + place + " was changed after heddle install copied it, so it stays;"
                        + " remove it by hand");
                kept.put(file.getKey(), file.getValue());
            }
        }
        if (!dryRun) {
            change(home, list, removed, new InstalledFiles(before.version(), before.plugins(), kept));
        }
        for (String file : removed) {
            out.println((dryRun ? "would be removed  " : "removed  ") + home.resolve(file));
        }
        out.flush();
        err.flush();
        return kept.isEmpty() ? 0 : 1;
    }

    private static void change(HadoopHome home, Path list, List<String> removed, InstalledFiles after)
            throws IOException {
        Set<Path> places = new TreeSet<>(Set.of(list));
        removed.forEach(file -> places.add(home.resolve(file)));
        Permissions.require(places);
        Permissions.guarded(home, changes -> {
            for (String file : removed) {
                changes.remove(home.resolve(file));
            }
            if (after.isEmpty()) {
                changes.remove(list);
            } else {
                changes.write(after.text(), list);
            }
        });
        Path folder = list.getParent();
        if (after.isEmpty() && folder != null) {
            try {
                Files.deleteIfExists(folder);
            } catch (DirectoryNotEmptyException e) {
                return; // somebody else keeps files there
            }
        }
    }
}
