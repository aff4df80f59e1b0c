// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.api.protocolrecords.GetApplicationsRequest;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ApplicationResourceUsageReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.ResourceTypeInfo;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.heddle.journal.FullDisk;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.JobCommand;
import org.heddle.settings.process.ProcessStart;

/**
 * A YARN cluster. A job is started as its users start it: its jar's main class in a JVM of its own, as
 * {@code hadoop jar} does, with a configuration directory in front of the class path that contains the limits.
 * So any program that submits a MapReduce job works, also one that ignores -D options. YARN application tags identify
 * the jobs.
 */
public final class YarnCluster implements Cluster {
    private static final String CONF = ".conf";
    /** The property that -files sets; Hadoop has no constant for it. */
    private static final String FILES = "tmpfiles";

    private static final Set<String> BUILT_IN = Set.of("memory-mb", "vcores");
    private static final List<String> DEFAULTS =
            List.of("core-default.xml", "hdfs-default.xml", "yarn-default.xml", "mapred-default.xml");
    /** A later default file overrides an earlier site file, so each site file contains all properties. */
    private static final List<String> SITES =
            List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml", "mapred-site.xml");

    static {
        // Hadoop reads them as soon as it loads a class of HDFS, which may be too late: our files hide the cluster's
        // own from
        // the jobs.
        Configuration.addDefaultResource("hdfs-default.xml");
        Configuration.addDefaultResource("hdfs-site.xml");
    }

    private final Configuration conf;
    private final Path directory;
    private final YarnClient yarn;

    /**
     * @param conf the cluster's client configuration
     * @param directory for configurations and output of started programs
     */
    public YarnCluster(Configuration conf, Path directory) {
        this.conf = new JobConf(conf);
        this.directory = directory;
        yarn = YarnClient.createYarnClient();
        yarn.init(this.conf);
        yarn.start();
    }

    @Override
    public Launch start(Job job, String runId, String tag, Map<String, String> properties) throws IOException {
        JobCommand command = job.command();
        if (command == null) {
            throw new IOException("job " + job.name() + " has no run section, so it cannot be started");
        }
        Path confDirectory = directory.resolve(tag + CONF);
        FullDisk.noticed(directory, () -> writeConfiguration(command, runId, tag, properties, confDirectory));
        List<String> line = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx256m",
                // It lives for seconds, and several may start at once.
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-cp",
                confDirectory + File.pathSeparator + System.getProperty("java.class.path"),
                "org.apache.hadoop.util.RunJar",
                command.jar()));
        if (command.main() != null) {
            line.add(command.main());
        }
        line.addAll(command.args());
        Path log = directory.resolve(tag + ".log");
        // In our locale, because Java reads its arguments.
        Process process = ProcessStart.ours(
                line, builder -> builder.redirectErrorStream(true).redirectOutput(log.toFile()));
        process.getOutputStream().close();
        return new Program(process, log);
    }

    private Path writeConfiguration(
            JobCommand command, String runId, String tag, Map<String, String> properties, Path confDirectory)
            throws IOException {
        // The configuration of the cluster may contain passwords.
        Files.createDirectories(
                confDirectory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Configuration own = changedProperties();
        command.conf().forEach(own::set);
        properties.forEach(own::set);
        own.set(MRJobConfig.JOB_TAGS, RunTag.run(runId) + "," + tag);
        shipResourceTypes(own, confDirectory);
        for (String site : SITES) {
            write(own, confDirectory.resolve(site));
        }
        return confDirectory;
    }

    /**
     * Ships the list of resource types with the job. An ApplicationMaster refuses tasks with a resource type that is
     * not in the files of its class path, and the configuration of the nodes may be in another place. Files of a job
     * come first on its class path.
     */
    private void shipResourceTypes(Configuration own, Path confDirectory) throws IOException {
        Configuration types = new Configuration(false);
        List<String> names = new ArrayList<>();
        for (ResourceTypeInfo type : resourceTypes()) {
            if (!BUILT_IN.contains(type.getName())) {
                names.add(type.getName());
                types.set("yarn.resource-types." + type.getName() + ".units", type.getDefaultUnit());
            }
        }
        if (names.isEmpty()) {
            return;
        }
        types.set(YarnConfiguration.RESOURCE_TYPES, String.join(",", names));
        Path file = confDirectory.resolve(YarnConfiguration.RESOURCE_TYPES_CONFIGURATION_FILE);
        write(types, file);
        String before = own.get(FILES);
        own.set(FILES, (before == null ? "" : before + ",") + file.toUri());
    }

    /** Hadoop wraps what a stream throws, and would hide a full disk. */
    static void write(Configuration content, Path file) throws IOException {
        ByteArrayOutputStream xml = new ByteArrayOutputStream();
        content.writeXml(xml);
        Files.write(file, xml.toByteArray());
    }

    @Override
    public boolean isAlive(String tag, long pid) {
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .flatMap(process -> process.info().commandLine())
                .filter(line -> line.contains(tag + CONF))
                .isPresent();
    }

    /** The properties that differ from Hadoop's defaults. */
    private Configuration changedProperties() {
        Configuration defaults = new Configuration(false);
        DEFAULTS.forEach(defaults::addResource);
        Configuration changed = new Configuration(false);
        for (Map.Entry<String, String> entry : conf) {
            if (!entry.getValue().equals(defaults.getRaw(entry.getKey()))) {
                changed.set(entry.getKey(), entry.getValue());
            }
        }
        return changed;
    }

    /** A started program and the file of its output. */
    private record Program(Process process, Path log) implements Launch {
        @Override
        public boolean isAlive() {
            return process.isAlive();
        }

        @Override
        public long pid() {
            return process.pid();
        }

        @Override
        public String describe() {
            String state = process.isAlive() ? "still running" : "exit code " + process.exitValue();
            return state + ", " + reason() + " (all output in " + log + ")";
        }

        private String reason() {
            try {
                return Files.readAllLines(log).stream()
                        .filter(line -> line.contains("Exception") || line.contains("Error"))
                        .findFirst()
                        .orElse("no exception printed");
            } catch (IOException e) {
                return "its output cannot be read: " + e.getMessage();
            }
        }
    }

    @Override
    public Map<String, JobStatus> jobs(String runId) throws IOException {
        GetApplicationsRequest request = GetApplicationsRequest.newInstance();
        request.setApplicationTags(Set.of(RunTag.run(runId)));
        Map<String, JobStatus> found = new HashMap<>();
        try {
            for (ApplicationReport report : yarn.getApplications(request)) {
                for (String tag : report.getApplicationTags()) {
                    found.merge(tag, status(tag, report), (a, b) -> a.startMillis() >= b.startMillis() ? a : b);
                }
            }
        } catch (YarnException e) {
            throw new IOException("the ResourceManager does not list applications: " + e.getMessage(), e);
        }
        return found;
    }

    private static JobStatus status(String tag, ApplicationReport report) {
        boolean ended = report.getFinishTime() > 0;
        boolean good = report.getFinalApplicationStatus() == FinalApplicationStatus.SUCCEEDED;
        ApplicationResourceUsageReport usage = report.getApplicationResourceUsageReport();
        int containers = usage == null ? 0 : usage.getNumUsedContainers();
        JobStatus.State state = JobStatus.State.RUNNING;
        if (ended) {
            state = good ? JobStatus.State.SUCCEEDED : JobStatus.State.FAILED;
        }
        return new JobStatus(
                tag,
                report.getApplicationId().toString(),
                state,
                report.getStartTime(),
                report.getFinishTime(),
                ended ? 0 : Math.max(0, containers),
                report.getProgress(),
                ended && !good ? String.valueOf(report.getDiagnostics()).strip() : "");
    }

    @Override
    public boolean knowsResource(String name) throws IOException {
        return resourceTypes().stream().anyMatch(r -> r.getName().equals(name));
    }

    private List<ResourceTypeInfo> resourceTypes() throws IOException {
        try {
            return yarn.getResourceTypeInfo();
        } catch (YarnException e) {
            throw new IOException("the ResourceManager does not list resource types: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        yarn.stop();
    }
}
