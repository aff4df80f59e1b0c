// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.heddle.scheduler.cli.ConfigurationFiles.Format;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.Problem;
import org.heddle.scheduler.config.edit.SpecWriter;
import org.heddle.scheduler.config.fair.FairWriter;
import org.heddle.scheduler.config.read.SpecReader;
import org.heddle.scheduler.config.site.Site;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code heddle convert}. */
@Command(
        name = "convert",
        mixinStandardHelpOptions = true,
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
            description = "fair-scheduler.xml, capacity-scheduler.xml or heddle-scheduler.xml")
    @SuppressWarnings("NullAway.Init")
    private Path file;

    @Option(
            names = "--key",
            paramLabel = "KEY=VALUE",
            description =
                    "a key of yarn-site.xml that the file depends on, such as yarn.scheduler.fair.preemption=true")
    private Map<String, String> keys = new HashMap<>();

    @Option(
            names = "--resource",
            paramLabel = "NAME[:UNIT]",
            description = "a resource type of the cluster beside memory-mb and vcores, such as yarn.io/gpu")
    private List<String> resources = new ArrayList<>();

    @Option(
            names = "--yarn-site",
            paramLabel = "FILE",
            description =
                    "the yarn-site.xml with the keys, which --key replaces; default: the one in the directory of FILE")
    @Nullable
    private Path yarnSite;

    @Override
    public Integer call() throws IOException {
        SpecReader.Reading reading;
        try {
            Path siteFile = yarnSite == null ? ConfigurationFiles.beside(file) : yarnSite;
            Site site = siteFile == null ? Site.EMPTY : ConfigurationFiles.site(siteFile);
            reading = new ConfigurationFiles(site, resources)
                    .read(file, key -> keys.containsKey(key) ? keys.get(key) : site.get(key));
        } catch (NoSuchFileException e) {
            throw new IOException(e.getMessage() + " does not exist", e);
        } catch (ConfigurationException e) {
            for (Problem problem : e.problems()) {
                command.commandLine().getErr().println(problem);
            }
            return 1;
        }
        List<String> remarks = new ArrayList<>(reading.warnings());
        if (Format.of(file) != Format.HEDDLE) {
            command.commandLine()
                    .getOut()
                    .print(SpecWriter.write(reading.spec(), List.of("Converted from " + file.getFileName() + ".")));
        } else {
            FairWriter.Result result = FairWriter.write(reading.spec());
            command.commandLine().getOut().print(result.text());
            remarks.addAll(result.lost());
        }
        command.commandLine().getOut().flush();
        remarks.forEach(remark -> command.commandLine().getErr().println(file + ": " + remark));
        return 0;
    }
}
