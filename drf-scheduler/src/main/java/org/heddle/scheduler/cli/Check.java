// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.FairKeys;
import org.heddle.scheduler.config.Json;
import org.heddle.scheduler.config.Problem;
import org.heddle.scheduler.config.SchedulerKeys;
import org.heddle.scheduler.config.read.SpecReader;
import org.heddle.scheduler.config.read.SpecReader.Format;
import org.heddle.scheduler.config.site.Site;
import org.heddle.scheduler.model.SchedulerSpec;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code heddle check}. */
@Command(
        name = "check",
        description = {
            "Checks a heddle-scheduler.xml, fair-scheduler.xml or capacity-scheduler.xml before it is in force: shows"
                    + " all problems, settings without effect, and a summary.",
            "Ends with 0 if there is no problem, 1 if there is one, 2 if the command line is wrong."
        })
final class Check implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec command;

    @Parameters(
            index = "0",
            paramLabel = "FILE",
            description = "Heddle-scheduler.xml, fair-scheduler.xml or capacity-scheduler.xml.")
    @SuppressWarnings("NullAway.Init")
    private Path file;

    @Option(
            names = "--yarn-site",
            paramLabel = "FILE",
            description = "The yarn-site.xml that goes with it; by default the one beside it, if there is one.")
    @Nullable
    private Path yarnSite;

    @Option(
            names = "--resource",
            paramLabel = "NAME[:UNIT]",
            description = "A resource type that neither that file nor a resource-types.xml beside it names.")
    private List<String> resources = new ArrayList<>();

    @Option(names = "--json", description = "Prints JSON.")
    private boolean json;

    private final Findings findings = new Findings();

    @Override
    public Integer call() {
        require(file);
        Path siteFile = yarnSite == null ? ConfigurationFiles.beside(file) : yarnSite;
        Site site = siteFile == null ? Site.EMPTY : read(siteFile);
        List<Problem> problems = new ArrayList<>();
        SpecReader.Reading reading = null;
        try {
            reading = new ConfigurationFiles(site, resources).read(file);
        } catch (ConfigurationException e) {
            problems.addAll(e.problems());
        } catch (IOException e) {
            problems.add(new Problem(file.toString(), 0, "", "", "cannot be read: " + e.getMessage()));
        }
        if (!site.files().isEmpty()) {
            findings.section(String.valueOf(siteFile));
            new SiteKeys(site, findings).check();
            whichFileCounts(site);
        }
        long count = problems.size() + findings.count(Findings.Kind.PROBLEM);
        if (json) {
            out().println(Json.text(asMap(problems, reading, siteFile, site)));
        } else {
            print(problems, reading, siteFile, site);
        }
        return count == 0 ? 0 : 1;
    }

    private void require(Path path) {
        if (!Files.isRegularFile(path)) {
            throw new CommandLine.ParameterException(command.commandLine(), path + " is no file");
        }
    }

    private Site read(Path siteFile) {
        require(siteFile);
        try {
            return ConfigurationFiles.site(siteFile);
        } catch (IOException e) {
            findings.section(String.valueOf(siteFile));
            findings.problem(String.valueOf(e.getMessage()), "correct it; here its keys count as not set");
            return Site.EMPTY;
        }
    }

    /** Whether the ResourceManager would read a file of this name. */
    private void whichFileCounts(Site site) {
        String ours = site.get(SchedulerKeys.CONFIGURATION_FILE.name());
        String fair = site.get(FairKeys.ALLOCATION_FILE.name());
        String named = ours != null ? ours : fair;
        Path name = file.getFileName();
        Path before = ours == null && name != null ? countsBefore(name) : null;
        if (before != null) {
            findings.problem(
                    before + " exists, and counts in place of " + file,
                    "remove it, or set " + SchedulerKeys.CONFIGURATION_FILE.name() + " to the file that is to count");
        } else if (named != null && !named.endsWith(String.valueOf(name))) {
            findings.note("the ResourceManager reads " + named + " ("
                    + site.where(
                            ours != null ? SchedulerKeys.CONFIGURATION_FILE.name() : FairKeys.ALLOCATION_FILE.name())
                    + "), not " + file);
        } else if (named == null
                && name != null
                && Arrays.stream(Format.values()).noneMatch(format -> name.endsWith(format.file()))) {
            findings.note("no key names " + file + ": set " + SchedulerKeys.CONFIGURATION_FILE.name() + " to it");
        } else if (named == null && saysNothing(site)) {
            findings.note(
                    file + " says no more than the one that every Hadoop brings along, so it does not count: there is"
                            + " one queue, root.default, open to everyone, until it names another queue or a limit");
        }
    }

    /** A file beside this one that counts before it does; null if there is none. */
    private @Nullable Path countsBefore(Path name) {
        for (Format format : Format.values()) {
            Path other = file.toAbsolutePath().resolveSibling(format.file());
            if (name.endsWith(format.file())) {
                return null;
            }
            if (Files.exists(other)) {
                return other;
            }
        }
        return null;
    }

    private boolean saysNothing(Site site) {
        try {
            return new ConfigurationFiles(site, resources).saysNothing(file);
        } catch (IOException e) {
            return false;
        }
    }

    private PrintWriter out() {
        return command.commandLine().getOut();
    }

    private static List<String> differences(Format format, SchedulerSpec spec) {
        return switch (format) {
            case HEDDLE -> List.of();
            case FAIR -> FairDifferences.of(spec);
            case CAPACITY -> CapacityDifferences.of(spec);
        };
    }

    private void print(
            List<Problem> problems, SpecReader.@Nullable Reading reading, @Nullable Path siteFile, Site site) {
        PrintWriter out = out();
        problems.forEach(out::println);
        if (reading == null) {
            out.println(file + ": " + problems.size() + (problems.size() == 1 ? " problem" : " problems")
                    + "; the ResourceManager would refuse it and keep the last good one, or not start without one");
        } else {
            Format format = reading.format();
            out.println(file + ": no problem; format of " + format.file());
            if (!reading.warnings().isEmpty()) {
                out.println("without effect, or with another than one might think");
                reading.warnings().forEach(warning -> out.println("  " + warning));
            }
            new SpecSummary(reading.spec()).print(out);
            List<String> differences = differences(format, reading.spec());
            if (!differences.isEmpty()) {
                out.println("other than under " + (format == Format.FAIR ? "FairScheduler" : "CapacityScheduler"));
                differences.forEach(difference -> out.println("  " + difference));
            }
            out.println("keys in force" + (siteFile == null ? ", by default" : ""));
            for (SiteKeys.Effective key : SiteKeys.effective(site, format == Format.FAIR)) {
                out.println("  " + key.key() + " = " + key.value() + (key.set() ? "" : " (default)"));
            }
        }
        findings.print(out);
        if (siteFile == null) {
            out.println("not checked: yarn-site.xml, for there is none beside " + file + "; give it with --yarn-site");
        }
        out.flush();
    }

    private Map<String, Object> asMap(
            List<Problem> problems, SpecReader.@Nullable Reading reading, @Nullable Path siteFile, Site site) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("version", 1);
        map.put("file", file.toString());
        map.put("yarnSite", siteFile == null ? "" : siteFile.toString());
        List<Object> all = new ArrayList<>();
        for (Problem problem : problems) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("file", problem.file());
            one.put("line", problem.line());
            one.put("element", problem.element());
            one.put("value", problem.value());
            one.put("fix", problem.wayOut());
            all.add(one);
        }
        map.put("problems", all);
        map.put("site", findings.asList());
        if (reading != null) {
            Format format = reading.format();
            map.put("format", format.file());
            map.put("withoutEffect", reading.warnings());
            map.putAll(new SpecSummary(reading.spec()).asMap());
            map.put("differences", differences(format, reading.spec()));
            List<Object> keys = new ArrayList<>();
            for (SiteKeys.Effective key : SiteKeys.effective(site, format == Format.FAIR)) {
                Map<String, Object> one = new LinkedHashMap<>();
                one.put("key", key.key());
                one.put("value", key.value());
                one.put("set", key.set());
                keys.add(one);
            }
            map.put("keys", keys);
        }
        return map;
    }
}
