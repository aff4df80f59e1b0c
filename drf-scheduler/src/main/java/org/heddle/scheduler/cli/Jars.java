// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.heddle.scheduler.config.site.Site;
import org.jspecify.annotations.Nullable;

/**
 * Checks Heddle's jars in a Hadoop home: each once, all of one version, on the class path of the daemon that needs it.
 */
final class Jars {
    static final String SCHEDULER = "drf-scheduler";
    static final String MARKET = "dynamic-priority-scheduler";
    static final String LATE = "late-speculator";
    private static final int DEEPEST = 6;
    /** The names that {@code heddle install} gives them. */
    private static final Map<String, String> PLUGINS = Map.of(SCHEDULER, "drf", MARKET, "market", LATE, "late");

    private static final Pattern NAME =
            Pattern.compile("heddle-([a-z-]+?)-(\\d[\\w.]*?(?:-SNAPSHOT)?)(-tests|-sources|-javadoc)?\\.jar");
    private static final Pattern HADOOP = Pattern.compile("hadoop-common-(\\d[\\w.]*)\\.jar");
    /** Directories on the class path of all daemons, by Hadoop's scripts. */
    private static final List<String> CLASS_PATH = List.of(
            "share/hadoop/common",
            "share/hadoop/common/lib",
            "share/hadoop/hdfs",
            "share/hadoop/hdfs/lib",
            "share/hadoop/yarn",
            "share/hadoop/yarn/lib",
            "share/hadoop/mapreduce");

    /** ApplicationMasters look here ({@code mapreduce.application.classpath}), and in what all daemons share. */
    private static final List<String> MAPREDUCE =
            List.of("share/hadoop/mapreduce", "share/hadoop/mapreduce/lib", "share/hadoop/common", "share/hadoop/yarn");

    /** A jar of ours. */
    private record Jar(Path path, String artifact, String version, String classifier) {}

    private final Path home;
    private final Site site;
    private final Findings findings;
    private final List<Jar> jars = new ArrayList<>();
    private String hadoopVersion = "";

    Jars(Path home, Site site, Findings findings) {
        this.home = home;
        this.site = site;
        this.findings = findings;
    }

    /** The version of {@code hadoop-common} in the home; empty if there is none. */
    String hadoopVersion() {
        return hadoopVersion;
    }

    void check() {
        List<Path> files;
        // A Hadoop home, or a directory in it, is often a link to that of the version in use.
        try (Stream<Path> all = Files.walk(home, DEEPEST, FileVisitOption.FOLLOW_LINKS)) {
            files = all.filter(path -> path.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        } catch (IOException | java.io.UncheckedIOException e) {
            findings.notChecked("jars: " + home + " cannot be read: " + e.getMessage());
            return;
        }
        for (Path path : files) {
            String name = String.valueOf(path.getFileName());
            Matcher hadoop = HADOOP.matcher(name);
            if (hadoop.matches() && !name.contains("tests")) {
                hadoopVersion = hadoop.group(1);
            }
            Matcher ours = NAME.matcher(name);
            if (ours.matches()) {
                jars.add(new Jar(path, ours.group(1), ours.group(2), ours.group(3) == null ? "" : ours.group(3)));
            } else if (name.startsWith("heddle-")) {
                findings.note(path + ": named like a jar of Heddle, but not one that this version knows");
            }
        }
        if (hadoopVersion.isEmpty()) {
            findings.problem(
                    home + " has no share/hadoop/common/hadoop-common-*.jar, so it is not a Hadoop home",
                    "give another one with --hadoop-home");
        } else {
            findings.ok("Hadoop " + hadoopVersion + " in " + home);
        }
        classifiers();
        copies();
        versions();
        needed();
    }

    private void classifiers() {
        for (Jar jar : jars) {
            if (!jar.classifier().isEmpty()) {
                findings.problem(
                        jar.path()
                                + " does not belong in a Hadoop home: it is a jar of tests, sources or documentation",
                        "remove " + jar.path());
            }
        }
        jars.removeIf(jar -> !jar.classifier().isEmpty());
    }

    private void copies() {
        Map<String, List<Jar>> byArtifact = new LinkedHashMap<>();
        jars.forEach(jar -> byArtifact
                .computeIfAbsent(jar.artifact(), key -> new ArrayList<>())
                .add(jar));
        byArtifact.forEach((artifact, copies) -> {
            if (copies.size() > 1) {
                findings.problem(
                        "heddle-" + artifact + " is there " + copies.size()
                                + " times, and chance decides which counts: "
                                + String.join(
                                        ", ",
                                        copies.stream()
                                                .map(jar -> jar.path().toString())
                                                .toList()),
                        "keep one of them");
            }
        });
    }

    private void versions() {
        Set<String> versions = new TreeSet<>();
        jars.forEach(jar -> versions.add(jar.version()));
        if (versions.size() > 1) {
            findings.problem(
                    "jars of different versions of Heddle: "
                            + String.join(
                                    ", ",
                                    jars.stream()
                                            .map(jar ->
                                                    String.valueOf(jar.path().getFileName()))
                                            .toList()),
                    "install all of one release");
        }
    }

    private void needed() {
        String scheduler = site.get(SiteKeys.SCHEDULER, "");
        if (SiteKeys.isOurs(site)) {
            need(SCHEDULER, SiteKeys.DRF, CLASS_PATH, SiteKeys.SCHEDULER);
        }
        if (scheduler.equals(SiteKeys.MARKET)) {
            need(MARKET, SiteKeys.MARKET, CLASS_PATH, SiteKeys.SCHEDULER);
        }
        if (site.get(SpeculatorKeys.CLASS, "").equals(SpeculatorKeys.LATE)
                && site.get(SpeculatorKeys.ARCHIVE, "").isEmpty()) {
            need(LATE, SpeculatorKeys.LATE, MAPREDUCE, SpeculatorKeys.CLASS);
        }
        for (Jar jar : jars) {
            if (!List.of(SCHEDULER, MARKET, LATE).contains(jar.artifact())) {
                findings.note(jar.path() + ": no Hadoop daemon needs it; it can be removed");
            }
        }
    }

    /** A key's class must be in a jar on the class path of the daemon that loads it. */
    private void need(String artifact, String className, List<String> places, String key) {
        List<Jar> copies =
                jars.stream().filter(jar -> jar.artifact().equals(artifact)).toList();
        if (copies.isEmpty()) {
            findings.problem(
                    "no heddle-" + artifact + "-*.jar in " + home + ", but " + key + " (" + site.where(key)
                            + ") names its class",
                    "run heddle install --hadoop-home " + home + " --plugin " + PLUGINS.get(artifact)
                            + (artifact.equals(LATE) ? " on every node" : " on every ResourceManager's machine"));
            return;
        }
        for (Jar jar : copies) {
            Path directory = jar.path().getParent();
            if (places.stream().noneMatch(place -> home.resolve(place).equals(directory))) {
                findings.problem(
                        jar.path() + " is not on the class path of the daemon that needs it",
                        "move it to "
                                + home.resolve(artifact.equals(LATE) ? MAPREDUCE.get(0) : "share/hadoop/yarn/lib"));
            } else {
                String broken = broken(jar.path(), className);
                if (broken == null) {
                    findings.ok(jar.path() + ", version " + jar.version());
                } else {
                    findings.problem(
                            jar.path() + " " + broken,
                            "remove it and run heddle install --hadoop-home " + home + " --plugin "
                                    + PLUGINS.get(artifact));
                }
            }
        }
    }

    private static @Nullable String broken(Path jar, String className) {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            if (zip.getEntry(className.replace('.', '/') + ".class") == null) {
                return "does not contain " + className;
            }
            return null;
        } catch (IOException e) {
            return "cannot be read as a jar: " + e.getMessage();
        }
    }
}
