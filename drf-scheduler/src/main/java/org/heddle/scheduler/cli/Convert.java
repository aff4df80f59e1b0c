// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.Problem;
import org.heddle.scheduler.config.edit.SpecWriter;
import org.heddle.scheduler.config.fair.FairWriter;
import org.heddle.scheduler.config.read.SpecReader;
import org.heddle.scheduler.config.site.Site;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.SchedulerSpec;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code heddle convert}. */
@Command(
        name = "convert",
        description = {
            "Prints a fair-scheduler.xml or a capacity-scheduler.xml as heddle-scheduler.xml, or a"
                    + " heddle-scheduler.xml as fair-scheduler.xml.",
            "Settings that the other format does not have, and settings without effect, are listed on standard error."
        })
final class Convert implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec command;

    @Parameters(
            index = "0",
            paramLabel = "FILE",
            description = "Fair-scheduler.xml, capacity-scheduler.xml or heddle-scheduler.xml.")
    @SuppressWarnings("NullAway.Init")
    private Path file;

    @Option(
            names = "--key",
            paramLabel = "KEY=VALUE",
            description = "A key of yarn-site.xml that the file depends on, such as"
                    + " yarn.scheduler.fair.preemption=true.")
    private Map<String, String> keys = new HashMap<>();

    @Option(
            names = "--resource",
            paramLabel = "NAME[:UNIT]",
            description = "A resource type of the cluster beside memory-mb and vcores, such as yarn.io/gpu.")
    private List<String> resources = new ArrayList<>();

    @Option(
            names = "--yarn-site",
            paramLabel = "FILE",
            description = "The yarn-site.xml with the keys, which --key replaces; default: the one in the"
                    + " directory of FILE.")
    @Nullable
    private Path yarnSite;

    @Override
    public Integer call() throws IOException {
        try {
            return convert();
        } catch (NoSuchFileException e) {
            throw new IOException(e.getMessage() + " does not exist", e);
        } catch (ConfigurationException e) {
            e.problems().forEach(problem -> error(problem.toString()));
            return 1;
        }
    }

    private int convert() throws IOException, ConfigurationException {
        Path siteFile = yarnSite == null ? ConfigurationFiles.beside(file) : yarnSite;
        Site site = siteFile == null ? Site.EMPTY : ConfigurationFiles.site(siteFile);
        ConfigurationFiles files = new ConfigurationFiles(site, resources);
        Function<String, @Nullable String> values = key -> keys.containsKey(key) ? keys.get(key) : site.get(key);
        SpecReader.Reading reading = files.read(file, values);
        List<String> remarks = new ArrayList<>(reading.warnings());
        boolean toHeddle = reading.format() != SpecReader.Format.HEDDLE;
        String text;
        if (toHeddle) {
            text = SpecWriter.write(reading.spec(), List.of("Converted from " + file.getFileName() + "."));
        } else {
            FairWriter.Result result = FairWriter.write(reading.spec());
            text = result.text();
            remarks.addAll(result.lost());
        }
        String problem = problem(reading.spec(), files, text, values);
        if (!problem.isEmpty()) {
            error(file + ": " + (toHeddle ? "Heddle" : "FairScheduler") + " would not take what this becomes: "
                    + problem);
            return 1;
        }
        command.commandLine().getOut().print(text);
        command.commandLine().getOut().flush();
        remarks.forEach(remark -> error(file + ": " + remark));
        return 0;
    }

    /** Why the scheduler of the other format would not start with a text, or with fewer queues; empty if it would. */
    private static String problem(
            SchedulerSpec meant, ConfigurationFiles files, String text, Function<String, @Nullable String> values) {
        try {
            Set<String> missing = paths(meant);
            missing.removeAll(paths(files.read("", text.getBytes(StandardCharsets.UTF_8), values)
                    .spec()));
            if (missing.isEmpty()) {
                return "";
            }
            return "it would leave out the queue " + missing.iterator().next();
        } catch (ConfigurationException e) {
            Problem first = e.problems().get(0); // its line is one of a text that is not printed
            return new Problem("", 0, first.element(), first.value(), first.wayOut()).sentence();
        }
    }

    private static Set<String> paths(SchedulerSpec spec) {
        return spec.root().all().map(QueueSpec::path).collect(Collectors.toCollection(TreeSet::new));
    }

    private void error(String line) {
        command.commandLine().getErr().println(line);
    }
}
