// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.heddle.settings.Sizes;
import org.heddle.settings.command.AddressConverter;
import org.heddle.settings.command.Frame;
import org.heddle.settings.command.SizeConverter;
import org.heddle.whatif.model.Size;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code heddle whatif}. Exit codes: 0 done, 1 the past or a file cannot be used, 2 the command line is wrong. Its
 * options do not refer to Hadoop, so that help and version need no Hadoop.
 */
@Command(
        name = "whatif",
        description = {
            "Replays what a cluster ran in the past through the DRF scheduler, FairScheduler and CapacityScheduler on a"
                    + " virtual clock, and compares shares, waits, preemptions and utilisation.",
            "It needs Hadoop's jars, reads only, and opens ports on this machine's loopback address only."
        })
public final class WhatIf implements Callable<Integer> {
    private static final String NAME = "heddle whatif";

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec command;

    @ArgGroup(multiplicity = "1")
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    Source source;

    /** Where the past comes from. */
    static final class Source {
        @Option(
                names = "--history",
                paramLabel = "DIR",
                description =
                        "The .jhist files of finished MapReduce jobs and event logs of Spark: a directory with all"
                                + " below, or one file.")
        @Nullable
        String history;

        @Option(
                names = "--rm",
                split = ",",
                paramLabel = "URL",
                converter = AddressConverter.class,
                description = "The web address of a ResourceManager, such as rm1:8088, or both of a pair: the"
                        + " applications that it remembers, which is coarser.")
        @Nullable
        List<URI> resourceManager;

        @Option(
                names = "--trace",
                paramLabel = "FILE",
                description = "A trace of SLS or Rumen, or a synthetic workload of SLS; JSON or JSON.gz.")
        @Nullable
        Path trace;
    }

    @Option(
            names = "--file",
            required = true,
            paramLabel = "FILE",
            description = "The queues: a fair-scheduler.xml, a heddle-scheduler.xml or a"
                    + " capacity-scheduler.xml; several may be given, one of each.")
    List<Path> files = new ArrayList<>();

    @Option(
            names = "--with",
            split = ",",
            paramLabel = "SCHEDULER",
            defaultValue = "heddle,fair,capacity",
            description = "Schedulers to compare, separated by commas. Default: ${DEFAULT-VALUE}.")
    List<String> schedulers = new ArrayList<>();

    @Option(
            names = "--yarn-site",
            paramLabel = "FILE",
            description = "The yarn-site.xml with the schedulers' keys; default: the one beside a FILE,"
                    + " if there is one.")
    @Nullable
    Path yarnSite;

    @Option(names = "--nodes", paramLabel = "N", description = "How many nodes; with --rm by default the cluster's.")
    @Nullable
    Integer nodes;

    @Option(
            names = "--node",
            paramLabel = "memory=SIZE,vcores=N",
            description = "What each node has for containers, for example memory=64Gi,vcores=16.")
    @Nullable
    String node;

    @Option(
            names = "--queue",
            paramLabel = "OLD=NEW",
            description = "Sends the jobs of a queue of the past to another one; may be given several" + " times.")
    Map<String, String> moved = new LinkedHashMap<>();

    @Option(
            names = "--container",
            paramLabel = "SIZE",
            defaultValue = "1Gi",
            converter = SizeConverter.class,
            description = "With --rm, the memory that each container of an application is taken to have."
                    + " Default: ${DEFAULT-VALUE}; a number without a unit is MiB.")
    int containerMb;

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = "With --rm, the user.name parameter, for a cluster with simple authentication.")
    String user = "";

    @Option(
            names = "--conf-dir",
            paramLabel = "DIR",
            description = "The site files of the cluster, where --history is in HDFS; default:" + " HADOOP_CONF_DIR.")
    @Nullable
    Path confDir;

    @Option(
            names = "--every-heartbeat",
            description = "Also sends those heartbeats of nodes that will most likely get nothing:" + " slower.")
    boolean everyHeartbeat;

    @Option(names = "--out", paramLabel = "FILE", description = "Writes an HTML page with charts, too.")
    @Nullable
    Path out;

    private WhatIf() {}

    /** Runs the command and ends the process. */
    public static void main(String[] arguments) {
        PrintWriter output = new PrintWriter(System.out, true, Charset.defaultCharset());
        System.setOut(System.err); // whatever Hadoop has to say
        System.exit(run(output, new PrintWriter(System.err, true, Charset.defaultCharset()), arguments));
    }

    /** The same without ending the process. */
    static int run(PrintWriter output, PrintWriter errors, String... arguments) {
        return Frame.of(NAME, new WhatIf()).setOut(output).setErr(errors).execute(arguments);
    }

    @Override
    public Integer call() throws IOException {
        command.commandLine().getOut().print(new Run(this).report(this::progress));
        command.commandLine().getOut().flush();
        return 0;
    }

    private void progress(String sentence) {
        command.commandLine().getErr().println(NAME + ": " + sentence);
    }

    /** The size of each node; null if there is no --node. */
    @Nullable
    Size nodeSize() {
        if (node == null) {
            return null;
        }
        long memory = 0;
        long vcores = 0;
        for (String part : node.split(",", -1)) {
            String[] sides = part.split("=", 2);
            try {
                if (sides[0].equals("memory")) {
                    memory = Sizes.in("Mi", sides[1]);
                } else if (sides[0].equals("vcores")) {
                    vcores = Long.parseLong(sides[1]);
                } else {
                    throw wrong("--node = '" + node + "': '" + sides[0] + "' is neither memory nor vcores");
                }
            } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
                throw new ParameterException(
                        command.commandLine(),
                        "--node = '" + node + "': '" + part + "' must be memory=SIZE or vcores=N, for example"
                                + " memory=64Gi,vcores=16",
                        e);
            }
        }
        if (memory < 1 || vcores < 1 || vcores > Integer.MAX_VALUE) {
            throw wrong("--node = '" + node + "': needs memory and vcores above 0, for example memory=64Gi,vcores=16");
        }
        return new Size(memory, (int) vcores);
    }

    /** A mistake in the command line. */
    ParameterException wrong(String sentence) {
        return new ParameterException(command.commandLine(), sentence);
    }
}
