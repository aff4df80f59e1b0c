// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.v2.jobhistory.JobHistoryUtils;
import org.heddle.settings.past.HostUse;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code .jhist} files with Hadoop's own parser, and the {@code _conf.xml} beside them if there is one, and event
 * logs of Spark, from any file system which Hadoop knows.
 */
public final class JobHistories {
    private static final String SUFFIX = ".jhist";
    /** What lies beside histories and logs: configurations, checksums, marks, and what is hidden. */
    private static final Pattern BESIDE = Pattern.compile("[._].*|appstatus_.*|.*\\.(xml|crc|summary)");

    private static final List<String> SCHEMES = List.of("HDFS", "FILE");

    private final Configuration conf;
    private final JobNames names;

    /** @param names under which the runs count */
    public JobHistories(Configuration conf, JobNames names) {
        this.conf = conf;
        this.names = names;
    }

    public JobHistories(Configuration conf) {
        this(conf, JobNames.usual());
    }

    /** The histories of the cluster in the Hadoop configuration on the class path. */
    public static JobHistories ofTheCluster(JobNames names) {
        return new JobHistories(new Configuration(), names);
    }

    /** Takes the histories one by one. */
    public interface Visitor {
        /**
         * A history that was read.
         *
         * @param saved the configuration of the job, from the file beside the history; without properties if there is
         *     none
         * @param source the file
         */
        void visit(JobRecord job, Configuration saved, String source);

        /** An event log of Spark that was read. */
        void visit(SparkApplication application, String source);

        /** A file or directory that is left out, and why, in one sentence. */
        void leftOut(String sentence);
    }

    /**
     * All job histories at a path: a file, a directory (with all below) or a pattern.
     *
     * @param hosts takes what ran where; its only amount is the number of containers
     * @param leftOut takes one sentence for each file that is left out
     * @throws FileNotFoundException if there is no such path
     */
    public List<JobRun> read(String where, HostUse hosts, Consumer<String> leftOut) throws IOException {
        List<JobRun> runs = new ArrayList<>();
        visit(where, new Visitor() {
            @Override
            public void visit(JobRecord job, Configuration saved, String source) {
                runs.add(summarise(job, names.of(job.name(), saved::get), limit(saved), source));
                job.attempts().forEach(one -> hosts.add(one.host(), one.startMillis(), one.endMillis(), 1));
            }

            @Override
            public void visit(SparkApplication application, String source) {
                String name = names.of(application.name(), application.properties()::get);
                runs.add(summarise(application, name, source));
                application.executors().forEach(one -> hosts.add(one.host(), one.startMillis(), one.endMillis(), 1));
            }

            @Override
            public void leftOut(String sentence) {
                leftOut.accept(sentence);
            }
        });
        return runs;
    }

    /**
     * Visits all job histories at a path: a file, a directory (with all below) or a pattern. A path without a scheme is
     * looked for on this machine first, then in the default file system.
     *
     * @throws FileNotFoundException one sentence that names both places, if there is no such path
     * @throws IOException one sentence if the path is none, or its file system does not answer
     */
    public void visit(String where, Visitor visitor) throws IOException {
        try {
            Path path = new Path(where);
            Visit visit = new Visit(visitor);
            for (FileSystem fs : places(path)) {
                FileStatus[] found = fs.globStatus(path);
                if (found != null && found.length > 0) {
                    for (FileStatus status : found) {
                        visit.any(fs, status, true);
                    }
                    return;
                }
            }
            boolean isNowhere = path.toUri().getScheme() == null;
            String here = isNowhere ? ", neither on this machine nor in " + FileSystem.getDefaultUri(conf) : "";
            throw new FileNotFoundException(where + " does not exist" + here);
        } catch (IllegalArgumentException e) { // a text that is no path, or a host that is unknown
            throw new IOException("'" + where + "' is no path that can be read: " + SavedConfiguration.oneLine(e), e);
        }
    }

    private Set<FileSystem> places(Path path) throws IOException {
        Set<FileSystem> places = new LinkedHashSet<>();
        if (path.toUri().getScheme() == null) {
            places.add(FileSystem.getLocal(conf));
        }
        places.add(path.getFileSystem(conf));
        return places;
    }

    /**
     * The history of a job that has ended, where ApplicationMasters leave it or where a history server has moved it;
     * empty if it is in neither place.
     *
     * @param application id of its YARN application
     * @throws IOException one sentence if it cannot be read
     */
    public Optional<JobRun> ofApplication(String application) throws IOException {
        JobConf job = new JobConf(conf);
        String name = application.replace("application", "job") + "-*" + SUFFIX;
        List<String> patterns = List.of(
                JobHistoryUtils.getConfiguredHistoryIntermediateDoneDirPrefix(job) + "/*/" + name,
                JobHistoryUtils.getConfiguredHistoryServerDoneDirPrefix(job) + "/*/*/*/*/" + name);
        for (String pattern : patterns) {
            Path path = new Path(pattern);
            FileSystem fs = path.getFileSystem(job);
            FileStatus[] found = fs.globStatus(path);
            if (found != null && found.length > 0) {
                List<String> problems = new ArrayList<>();
                List<JobRun> runs =
                        new JobHistories(job).read(found[0].getPath().toString(), new HostUse(), problems::add);
                if (runs.isEmpty()) {
                    throw new IOException(problems.get(0));
                }
                return Optional.of(runs.get(0));
            }
        }
        return Optional.empty();
    }

    /** One walk; copies of a history, as archives have them, are one job. */
    private static final class Visit {
        private final Visitor visitor;
        private final Map<String, Path> seen = new HashMap<>();

        Visit(Visitor visitor) {
            this.visitor = visitor;
        }

        /** @param named whether somebody named this file, which then need not be called {@code .jhist} */
        void any(FileSystem fs, FileStatus status, boolean named) {
            Path path = status.getPath();
            try {
                if (status.isDirectory() && EventLogFiles.isRolling(path)) {
                    spark(fs, path, true);
                } else if (status.isDirectory()) {
                    FileStatus[] inside = fs.listStatus(path);
                    Arrays.sort(inside);
                    for (FileStatus one : inside) {
                        any(fs, one, false);
                    }
                } else if (path.getName().endsWith(SUFFIX)) {
                    file(fs, path);
                } else if (named || !BESIDE.matcher(path.getName()).matches()) {
                    unknown(fs, path, named);
                }
            } catch (IOException e) {
                visitor.leftOut(path + ": " + SavedConfiguration.oneLine(e));
            }
        }

        /** A file whose name does not tell what it is; in a directory, others than logs are no concern of ours. */
        private void unknown(FileSystem fs, Path file, boolean named) throws IOException {
            String beginning = EventLogFiles.beginning(fs, file);
            String foreign = ForeignFormat.of(beginning);
            if (SparkEventLog.isOne(beginning)) {
                spark(fs, file, false);
            } else if (foreign != null) {
                throw new IOException(foreign);
            } else if (named) {
                file(fs, file);
            }
        }

        private void spark(FileSystem fs, Path log, boolean rolling) throws IOException {
            SparkApplication application;
            try (BufferedReader lines = EventLogFiles.lines(fs, log, rolling)) {
                application = SparkEventLog.read(lines);
            }
            once(application.id(), log);
            try {
                visitor.visit(application, log.toString());
            } catch (IllegalArgumentException e) {
                throw new IOException("it has a property that no application can have: " + e.getMessage(), e);
            }
        }

        private void once(String id, Path file) throws IOException {
            Path first = seen.putIfAbsent(id, file);
            if (first != null) {
                throw new IOException("is of the same job as " + first + ", which counts once");
            }
        }

        private void file(FileSystem fs, Path file) throws IOException {
            JobRecord job;
            try {
                job = JobRecord.of(HistoryFile.read(fs, file));
            } catch (IllegalArgumentException e) {
                throw new IOException(SavedConfiguration.oneLine(e), e);
            }
            once(job.id(), file);
            Path beside = new Path(file.getParent(), job.id() + "_conf.xml");
            Configuration saved = SavedConfiguration.read(fs, beside);
            try {
                visitor.visit(job, saved, file.toString());
            } catch (IllegalArgumentException | IllegalStateException e) { // no number, ${a} in ${a}
                throw new IOException(
                        beside.getName() + " has a value that no job can have: " + SavedConfiguration.oneLine(e), e);
            }
        }
    }

    /** The container limit of a job. */
    private static int limit(Configuration saved) {
        return Math.max(
                saved.getInt(MRJobConfig.JOB_RUNNING_MAP_LIMIT, 0),
                saved.getInt(MRJobConfig.JOB_RUNNING_REDUCE_LIMIT, 0));
    }

    private static JobRun summarise(JobRecord job, String name, int limit, String source) {
        List<JobRecord.Attempt> attempts = job.attempts();
        double busy = attempts.stream().mapToLong(JobRecord.Attempt::millis).sum() / 1000.0;
        long begin = attempts.stream()
                .mapToLong(JobRecord.Attempt::startMillis)
                .min()
                .orElse(0);
        long end =
                attempts.stream().mapToLong(JobRecord.Attempt::endMillis).max().orElse(0);
        double span = (end - begin) / 1000.0;
        double seconds = (job.finishedMillis() - job.submittedMillis()) / 1000.0;
        return new JobRun(
                name,
                job.id(),
                job.succeeded() && seconds > 0,
                seconds,
                limit,
                span > 0 ? busy / span : 0,
                most(attempts),
                job.tasks().size(),
                SingleRunModel.of(job),
                perSecond(cpuSeconds(job.counters()), busy),
                perSecond(ioBytes(job.counters()), busy),
                source);
    }

    /** Its n is its executors. */
    private static JobRun summarise(SparkApplication application, String name, String source) {
        double span = application.span();
        double work = application.work();
        int slots = application.tasksAtOnce();
        int executors = application.mostExecutors();
        double seconds = (application.finishedMillis() - application.submittedMillis()) / 1000.0;
        return new JobRun(
                name,
                application.id(),
                application.succeeded() && seconds > 0,
                seconds,
                executors,
                span > 0 ? work / span / slots : 0,
                executors,
                application.tasks(),
                application.curve(),
                perSecond(application.counters().cpuSeconds(), work),
                perSecond(application.counters().ioBytes() * slots, work),
                source);
    }

    private static int most(List<JobRecord.Attempt> attempts) {
        long[] starts = attempts.stream()
                .mapToLong(JobRecord.Attempt::startMillis)
                .sorted()
                .toArray();
        long[] ends = attempts.stream()
                .mapToLong(JobRecord.Attempt::endMillis)
                .sorted()
                .toArray();
        int most = 0;
        for (int i = 0, done = 0; i < starts.length; i++) {
            while (ends[done] <= starts[i]) {
                done++;
            }
            most = Math.max(most, i + 1 - done);
        }
        return most;
    }

    private static double perSecond(double amount, double seconds) {
        return seconds > 0 ? amount / seconds : Double.NaN;
    }

    private static double cpuSeconds(@Nullable Counters counters) {
        if (counters == null) {
            return Double.NaN;
        }
        return counters.findCounter(TaskCounter.CPU_MILLISECONDS).getValue() / 1000.0;
    }

    private static double ioBytes(@Nullable Counters counters) {
        if (counters == null) {
            return Double.NaN;
        }
        double files = SCHEMES.stream()
                .flatMap(scheme -> Arrays.stream(
                                new FileSystemCounter[] {FileSystemCounter.BYTES_READ, FileSystemCounter.BYTES_WRITTEN})
                        .map(counter -> counters.findCounter(scheme, counter)))
                .mapToDouble(c -> c.getValue())
                .sum();
        return files + counters.findCounter(TaskCounter.REDUCE_SHUFFLE_BYTES).getValue();
    }
}
