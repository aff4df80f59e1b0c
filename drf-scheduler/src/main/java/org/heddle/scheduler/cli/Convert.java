// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.FairWriter;
import org.heddle.scheduler.config.HeddleWriter;
import org.heddle.scheduler.config.Problem;
import org.heddle.scheduler.config.SpecReader;
import org.heddle.scheduler.config.Vocabulary;
import org.heddle.scheduler.policy.ShareOrders;
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
            "Prints a fair-scheduler.xml as heddle-scheduler.xml, or the other way round.",
            "What the other format cannot say, and what the file says without effect, is listed on standard error."
        })
final class Convert implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec command;

    @Parameters(index = "0", paramLabel = "FILE", description = "fair-scheduler.xml or heddle-scheduler.xml")
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

    @Override
    public Integer call() throws IOException {
        SpecReader.Reading reading;
        try {
            SpecReader reader = new SpecReader(
                    Vocabulary.of(
                            ShareOrders.discover(Convert.class.getClassLoader()).names(), units()),
                    keys::get);
            reading = reader.reading(file.toString(), Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            throw new IOException(file + " does not exist", e);
        } catch (ConfigurationException e) {
            for (Problem problem : e.problems()) {
                command.commandLine().getErr().println(problem);
            }
            return 1;
        }
        List<String> remarks = new ArrayList<>(reading.warnings());
        if (reading.spec().rules().likeFairScheduler()
                && !Files.readString(file).contains("<heddle-scheduler")) {
            command.commandLine()
                    .getOut()
                    .print(HeddleWriter.write(reading.spec(), List.of("Converted from " + file.getFileName() + ".")));
        } else {
            FairWriter.Result result = FairWriter.write(reading.spec());
            command.commandLine().getOut().print(result.text());
            remarks.addAll(result.lost());
        }
        command.commandLine().getOut().flush();
        remarks.forEach(remark -> command.commandLine().getErr().println(file + ": " + remark));
        return 0;
    }

    private Map<String, String> units() {
        Map<String, String> units = new HashMap<>(Map.of("memory-mb", "Mi", "vcores", ""));
        for (String resource : resources) {
            String[] parts = resource.split(":", 2);
            units.put(parts[0], parts.length > 1 ? parts[1] : "");
        }
        return units;
    }
}
