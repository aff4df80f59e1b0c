// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.log4j.Level;
import org.apache.log4j.LogManager;
import org.heddle.settings.command.ResourceManagerOptions;
import org.heddle.whatif.model.History;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.outcome.Outcome;
import org.heddle.whatif.read.HistoryException;
import org.heddle.whatif.read.JobHistoryFiles;
import org.heddle.whatif.read.RememberedApplications;
import org.heddle.whatif.read.TraceFile;
import org.heddle.whatif.replay.Replay;
import org.heddle.whatif.report.Comparison;
import org.heddle.whatif.report.HtmlReport;
import org.heddle.whatif.report.TextReport;
import org.heddle.whatif.scheduler.QueueFiles;
import org.heddle.whatif.scheduler.ReplayConfiguration;
import org.heddle.whatif.scheduler.SchedulerKind;
import org.jspecify.annotations.Nullable;

/** Reads the past, replays it with each scheduler, and writes the reports. */
final class Run {
    /** As nodes and MapReduce's masters call by default. */
    private static final long HEARTBEAT_MILLIS = 1_000;

    private static final String JSON = "application/json";

    private final WhatIf options;

    Run(WhatIf options) {
        this.options = options;
    }

    /** The report as text, when the page is written if there is to be one. */
    String report(Consumer<String> progress) throws IOException {
        LogManager.getRootLogger().setLevel(Level.OFF); // Hadoop reports every container
        List<SchedulerKind> kinds = kinds();
        Size size = options.nodeSize();
        checkPage(options.out);
        QueueFiles files = new QueueFiles(options.files);
        Configuration site = site();
        History told = moved(history(leastMb(site), progress));
        List<Size> nodes = nodes(size, told);
        History past = withClusterRemark(told, nodes);
        Path scratch = Files.createTempDirectory("heddle-whatif");
        try {
            ReplayConfiguration configuration = new ReplayConfiguration(files, site, nodes, scratch);
            History history = ContainersThatFit.of(past, nodes, configuration.largestContainer());
            List<Outcome> outcomes = new ArrayList<>();
            for (SchedulerKind kind : kinds) {
                outcomes.add(replay(kind, configuration, history, nodes, progress));
            }
            if (outcomes.stream()
                    .allMatch(outcome ->
                            outcome.all().jobs() == 0 && !outcome.refused().isEmpty())) {
                throw new HistoryException("no scheduler accepts a job of this past; the first reason, for queue "
                        + outcomes.get(0).refused().firstKey() + "; send the jobs elsewhere with --queue OLD=NEW");
            }
            Comparison comparison = new Comparison(source(), history, nodes, outcomes);
            if (options.out != null) {
                Files.writeString(options.out, HtmlReport.page(comparison));
            }
            return TextReport.text(comparison);
        } finally {
            delete(scratch);
        }
    }

    private List<SchedulerKind> kinds() {
        try {
            return SchedulerKind.of(options.schedulers);
        } catch (IllegalArgumentException e) {
            throw options.wrong("--with: " + e.getMessage());
        }
    }

    /** Before the replay, which may take minutes. */
    private void checkPage(@Nullable Path page) {
        Path directory = page == null ? null : page.toAbsolutePath().getParent();
        if (directory != null && !(Files.isDirectory(directory) && Files.isWritable(directory))) {
            throw options.wrong("--out = " + page + ": " + directory + " is no directory that can be written to");
        }
    }

    private Outcome replay(
            SchedulerKind kind,
            ReplayConfiguration configuration,
            History history,
            List<Size> nodes,
            Consumer<String> progress)
            throws IOException {
        ReplayConfiguration.Prepared prepared = configuration.of(kind);
        try (Replay replay = new Replay(
                history, kind.word(), prepared.conf(), nodes, HEARTBEAT_MILLIS, options.everyHeartbeat, progress)) {
            return replay.run(prepared.remarks());
        } catch (RuntimeException e) { // Hadoop's services wrap what they complain about
            String why = innermost(e);
            String queues = prepared.queues().toString();
            throw new IOException(
                    kind.word() + " cannot be replayed" + (why.contains(queues) ? "" : " with " + queues) + ": " + why,
                    e);
        }
    }

    private static String innermost(Throwable failure) {
        Throwable at = failure;
        while (at.getCause() != null) {
            at = at.getCause();
        }
        return at.getMessage() == null ? at.toString() : at.getMessage();
    }

    // ---- the past ----

    private String source() {
        WhatIf.Source source = options.source;
        if (source.history != null) {
            return source.history;
        }
        if (source.resourceManager != null) {
            return source.resourceManager.stream().map(URI::toString).collect(Collectors.joining(", "));
        }
        return String.valueOf(source.trace);
    }

    private static long leastMb(Configuration site) {
        String key = YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB;
        return Math.max(1, site.getInt(key, YarnConfiguration.DEFAULT_RM_SCHEDULER_MINIMUM_ALLOCATION_MB));
    }

    private History history(long leastMb, Consumer<String> progress) throws IOException {
        WhatIf.Source source = options.source;
        if (source.history != null) {
            return JobHistoryFiles.read(source.history, ofCluster(), leastMb, progress);
        }
        if (source.resourceManager != null) {
            String json = asked(source.resourceManager, RememberedApplications.APPLICATIONS);
            return RememberedApplications.applications(json, options.containerMb, source());
        }
        return TraceFile.read(Objects.requireNonNull(source.trace), leastMb);
    }

    /** The file systems of the cluster; without site files the local one. */
    private Configuration ofCluster() {
        Configuration conf = new Configuration();
        String fromEnvironment = System.getenv("HADOOP_CONF_DIR");
        Path directory;
        if (options.confDir != null) {
            directory = options.confDir;
        } else if (fromEnvironment == null) {
            directory = null;
        } else {
            directory = Path.of(fromEnvironment);
        }
        for (String name : List.of("core-site.xml", "hdfs-site.xml")) {
            if (directory != null && Files.isRegularFile(directory.resolve(name))) {
                conf.addResource(
                        new org.apache.hadoop.fs.Path(directory.resolve(name).toUri()));
            }
        }
        UserGroupInformation.setConfiguration(conf); // with Kerberos, HDFS wants a ticket
        return conf;
    }

    private History moved(History history) {
        Map<String, String> moved = options.moved;
        return new History(
                history.jobs().stream()
                        .map(job -> job.in(moved.getOrDefault(job.queue(), job.queue())))
                        .toList(),
                history.nodes(),
                history.remarks());
    }

    // ---- the cluster ----

    /**
     * A file that the user names is one of the user's cluster; one that lies beside the queues comes with them from
     * anywhere.
     */
    private Configuration site() throws IOException {
        if (options.yarnSite == null) {
            Path beside = QueueFiles.beside(options.files, "yarn-site.xml");
            return ReplayConfiguration.foreignSite(beside == null ? List.of() : withTypes(beside));
        }
        if (!Files.isRegularFile(options.yarnSite)) {
            throw options.wrong("--yarn-site: " + options.yarnSite + " is no file");
        }
        return ReplayConfiguration.site(withTypes(options.yarnSite));
    }

    private static List<Path> withTypes(Path site) {
        Path types = site.resolveSibling("resource-types.xml");
        return Files.isRegularFile(types) ? List.of(types, site) : List.of(site);
    }

    private String asked(List<URI> manager, String path) throws IOException {
        return ResourceManagerOptions.client(manager, options.user).text(path, JSON);
    }

    /** What the command line says, or the ResourceManager that has the past, or what the past shows. */
    private List<Size> nodes(@Nullable Size size, History past) throws IOException {
        if (options.nodes != null && options.nodes < 1) {
            throw options.wrong("--nodes = " + options.nodes + ": must be at least 1");
        }
        if (options.nodes != null && size != null) {
            return Collections.nCopies(options.nodes, size);
        }
        List<URI> manager = options.source.resourceManager;
        if (size == null && options.nodes == null && manager != null) {
            return RememberedApplications.nodes(asked(manager, RememberedApplications.NODES), source());
        }
        if (past.nodes().isEmpty()) {
            throw options.wrong("the past does not tell how large the cluster is: give --nodes and --node, for example"
                    + " --nodes 100 --node memory=64Gi,vcores=16");
        }
        return Collections.nCopies(
                options.nodes == null ? past.nodes().size() : options.nodes,
                size == null ? past.nodes().get(0) : size);
    }

    /** Says what the past shows of its cluster, if that was taken, or if the command line says otherwise. */
    private History withClusterRemark(History past, List<Size> nodes) {
        if (past.nodes().isEmpty()) {
            return past;
        }
        List<String> remarks = new ArrayList<>(past.remarks());
        if (options.nodes == null && options.node == null) {
            remarks.add(
                    "the cluster is taken from the past: its hosts, each as large as the most that one of them ran at"
                            + " once; --nodes and --node say it better");
        } else if (memory(nodes) > 1.2 * memory(past.nodes()) || memory(nodes) < memory(past.nodes()) / 1.2) {
            remarks.add("the past shows " + past.nodes().size() + " nodes that used up to "
                    + past.nodes().get(0) + " each; the replay has another cluster, so its times are others");
        }
        return new History(past.jobs(), past.nodes(), remarks);
    }

    private static double memory(List<Size> nodes) {
        return nodes.stream().mapToLong(Size::memoryMb).sum();
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
