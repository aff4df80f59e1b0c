// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.FairKeys;
import org.heddle.scheduler.config.Json;
import org.heddle.scheduler.config.Problem;
import org.heddle.scheduler.config.SchedulerKeys;
import org.heddle.scheduler.config.SpecLocation;
import org.heddle.scheduler.config.fair.FairSiteReader;
import org.heddle.scheduler.config.read.SpecReader;
import org.heddle.scheduler.config.site.Site;
import org.heddle.scheduler.config.site.SiteFile;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.settings.Clocks;
import org.heddle.settings.command.AddressConverter;
import org.heddle.settings.command.DurationConverter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code heddle doctor}. */
@Command(
        name = "doctor",
        description = {
            "Checks an installation: site files, jars, Java, and the daemons that run. Changes nothing.",
            "Ends with 0 if there is no problem, 1 if there is one, 2 if the command line is wrong."
        })
final class Doctor implements Callable<Integer> {
    private static final List<String> SITES =
            List.of("core-site.xml", "resource-types.xml", ConfigurationFiles.YARN_SITE, "mapred-site.xml");

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec command;

    @Option(
            names = "--conf-dir",
            paramLabel = "DIR",
            description = "Hadoop's configuration; by default HADOOP_CONF_DIR, or etc/hadoop in the Hadoop home.")
    @Nullable
    private Path confDir;

    @Option(names = "--hadoop-home", paramLabel = "DIR", description = "By default HADOOP_HOME.")
    @Nullable
    private Path hadoopHome;

    @Option(
            names = "--rm",
            split = ",",
            paramLabel = "URL",
            converter = AddressConverter.class,
            description = "A ResourceManager's web address, such as http://rm1:8088 or rm1:8088; may be"
                    + " repeated; by default those of yarn-site.xml.")
    private List<URI> resourceManagers = new ArrayList<>();

    @Option(
            names = "--bridge",
            paramLabel = "FILE",
            description = "A site file of the offer bridge, whose keys are then checked too; may be repeated.")
    private List<Path> bridgeFiles = new ArrayList<>();

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = "The user.name parameter, for a cluster with simple authentication.")
    private String user = "";

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            defaultValue = "10s",
            converter = DurationConverter.Seconds.class,
            description = "How long a daemon may take to answer. Default: ${DEFAULT-VALUE}.")
    private Duration timeout = Duration.ZERO;

    @Option(names = "--json", description = "Prints JSON.")
    private boolean json;

    private final Findings findings = new Findings();
    /** The queues of our scheduler; null before its file was read without problems. */
    private @Nullable SchedulerSpec spec;

    @Override
    public Integer call() {
        Map<String, String> environment = System.getenv();
        Path home = directory(hadoopHome, environment.get("HADOOP_HOME"), "--hadoop-home");
        String usual = environment.get("HADOOP_CONF_DIR");
        Path conf = directory(
                confDir,
                usual == null && home != null ? home.resolve("etc/hadoop").toString() : usual,
                "--conf-dir");
        if (conf == null) {
            throw new CommandLine.ParameterException(
                    command.commandLine(), "where is Hadoop's configuration? give --conf-dir, or set HADOOP_CONF_DIR");
        }
        findings.section("site files in " + conf);
        Site site = site(conf);
        if (site.path(ConfigurationFiles.YARN_SITE) == null) {
            findings.notChecked("the keys of " + ConfigurationFiles.YARN_SITE);
        } else {
            new SiteKeys(site, findings).check();
        }
        SpeculatorKeys.check(site, home != null, findings);
        findings.section("queues");
        queues(conf, site);
        bridge(conf, site);
        findings.section("jars");
        String hadoopVersion = "";
        if (home == null) {
            findings.notChecked("jars: give --hadoop-home, or set HADOOP_HOME");
        } else {
            Jars jars = new Jars(home, site, findings);
            jars.check();
            hadoopVersion = jars.hadoopVersion();
        }
        findings.section("Java");
        new JavaCheck(conf, home, environment, findings).check(hadoopVersion);
        new Daemons(site, timeout, user, Clocks.SYSTEM, findings).check(resourceManagers);
        return tell();
    }

    /** The bridge's keys may also be among those of the cluster. */
    private void bridge(Path conf, Site cluster) {
        if (bridgeFiles.isEmpty() && !BridgeKeys.areIn(cluster)) {
            return;
        }
        findings.section("offer bridge");
        Site site = cluster;
        for (Path file : bridgeFiles) {
            try {
                site = site.with(SiteFile.read(file));
            } catch (IOException e) {
                findings.problem(
                        Files.isReadable(file) ? String.valueOf(e.getMessage()) : file + " cannot be read",
                        "name another file with --bridge, or correct it");
                return;
            }
        }
        new BridgeKeys(site, conf, spec, findings).check();
    }

    private int tell() {
        PrintWriter out = command.commandLine().getOut();
        long problems = findings.count(Findings.Kind.PROBLEM);
        long unchecked = findings.count(Findings.Kind.NOT_CHECKED);
        if (json) {
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("version", 1);
            map.put("problems", problems);
            map.put("notChecked", unchecked);
            map.put("sections", findings.asList());
            out.println(Json.text(map));
        } else {
            findings.print(out);
            out.println(problems + (problems == 1 ? " problem, " : " problems, ") + unchecked + " not checked");
        }
        out.flush();
        return problems == 0 ? 0 : 1;
    }

    private @Nullable Path directory(@Nullable Path given, @Nullable String usual, String option) {
        Path path;
        if (given != null) {
            path = given;
        } else if (usual == null || usual.isEmpty()) {
            path = null;
        } else {
            path = Path.of(usual);
        }
        if (path != null && !Files.isDirectory(path)) {
            throw new CommandLine.ParameterException(
                    command.commandLine(), path + " is not a directory; give another one with " + option);
        }
        return path;
    }

    private Site site(Path conf) {
        Site site = Site.EMPTY;
        for (String name : SITES) {
            Path path = conf.resolve(name);
            if (!Files.isRegularFile(path)) {
                if (name.equals(ConfigurationFiles.YARN_SITE)) {
                    findings.problem(
                            "there is no " + path,
                            "give the ResourceManager's configuration directory with --conf-dir");
                }
                continue;
            }
            try {
                SiteFile file = SiteFile.read(path);
                site = site.with(file);
                findings.ok(name + ": " + file.properties().size() + " properties");
                file.repeated()
                        .forEach(key -> findings.problem(
                                name + " sets " + key + " twice, to different values; the last one counts",
                                "remove one"));
                file.includes()
                        .forEach(include -> findings.notChecked(name + " includes " + include + ", which is not read"));
            } catch (IOException e) {
                findings.problem(String.valueOf(e.getMessage()), "correct it");
            }
        }
        return site;
    }

    /** The file of queues that the ResourceManager would read: as {@code SpecLocation} finds it. */
    private void queues(Path conf, Site site) {
        if (site.path(ConfigurationFiles.YARN_SITE) == null) {
            findings.notChecked("which file the ResourceManager reads");
            return;
        }
        if (!SiteKeys.isOurs(site)) {
            findings.note("Heddle reads no such file, because another scheduler is set");
            return;
        }
        String ours = site.get(SchedulerKeys.CONFIGURATION_FILE.name());
        String fair = site.get(FairKeys.ALLOCATION_FILE.name());
        String name = SchedulerKeys.CONFIGURATION_FILE.fallback();
        String key = "";
        if (ours != null) {
            name = ours;
            key = SchedulerKeys.CONFIGURATION_FILE.name();
        } else if (!Files.exists(conf.resolve(name))) {
            name = fair != null ? fair : FairKeys.ALLOCATION_FILE.fallback();
            key = fair != null ? FairKeys.ALLOCATION_FILE.name() : "";
            if (key.isEmpty() && !Files.exists(conf.resolve(name)) && !FairSiteReader.isUsed(site::get)) {
                name = SpecLocation.CAPACITY_NAME;
            }
        }
        Path file;
        try {
            file = name.startsWith("file:") ? Path.of(URI.create(name)) : conf.resolve(name);
        } catch (IllegalArgumentException | FileSystemNotFoundException e) {
            findings.problem(key + " = " + name + " is not a file", "give an absolute path");
            return;
        }
        if (name.contains("://") && !name.startsWith("file:")) {
            findings.notChecked(name + ": it is not on this machine; copy it here and run heddle check on it");
        } else if (!Files.isRegularFile(file) && key.isEmpty()) {
            findings.note("there is no queue file, so there is one queue, root.default, open to everyone"
                    + " (or what FairScheduler's keys say)");
        } else if (name.equals(SpecLocation.CAPACITY_NAME) && saysNothing(file, site)) {
            findings.note(file + " says no more than the one that every Hadoop brings along, so there is one queue,"
                    + " root.default, open to everyone; name a queue or a limit in it, and it counts");
        } else if (!Files.isReadable(file)) {
            findings.problem(
                    file + ", which " + key + " names, does not exist or cannot be read",
                    "create it, readable for the ResourceManager's user");
        } else {
            read(file, site);
            others(conf, file, site);
        }
    }

    private static boolean saysNothing(Path file, Site site) {
        try {
            return new ConfigurationFiles(site, List.of()).saysNothing(file);
        } catch (IOException e) {
            return false;
        }
    }

    /** Queue files of other formats that lie beside the one that counts. */
    private void others(Path conf, Path inForce, Site site) {
        for (String name : List.of(FairKeys.DEFAULT_FILE, SpecLocation.CAPACITY_NAME)) {
            Path other = conf.resolve(name);
            boolean counts = other.toAbsolutePath()
                    .normalize()
                    .equals(inForce.toAbsolutePath().normalize());
            if (!counts && Files.isRegularFile(other) && !saysNothing(other, site)) {
                findings.note(other + " does not count, because " + inForce + " does");
            }
        }
    }

    private void read(Path file, Site site) {
        try {
            SpecReader.Reading reading = new ConfigurationFiles(site, List.of()).read(file);
            spec = reading.spec();
            findings.ok(file + ": " + reading.spec().root().all().count() + " queues");
            if (!reading.warnings().isEmpty()) {
                findings.note(reading.warnings().size() + " settings in it are without effect, or have another than one"
                        + " might think: heddle check " + file + " lists them");
            }
        } catch (ConfigurationException e) {
            for (Problem problem : e.problems()) {
                findings.problem(problem.toString(), "correct it; heddle check " + file + " checks it");
            }
        } catch (IOException e) {
            findings.problem(
                    file + " cannot be read: " + e.getMessage(), "make it readable for the ResourceManager's user");
        }
    }
}
