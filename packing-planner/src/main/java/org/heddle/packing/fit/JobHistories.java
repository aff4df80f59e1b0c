// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.JobInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskAttemptInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskInfo;
import org.apache.hadoop.mapreduce.v2.jobhistory.JobHistoryUtils;

/**
 * Reads {@code .jhist} files with Hadoop's own parser, from any file system which Hadoop knows, and the {@code _conf.xml}
 * beside them if there is one.
 */
public final class JobHistories {
    private static final String SUFFIX = ".jhist";
    private static final List<String> SCHEMES = List.of("HDFS", "FILE");

    private final Configuration conf;

    public JobHistories(Configuration conf) {
        this.conf = conf;
    }

    /** The histories of the cluster in the Hadoop configuration on the class path. */
    public static JobHistories ofTheCluster() {
        return new JobHistories(new Configuration());
    }

    /** Takes the histories one by one. */
    public interface Visitor {
        /**
         * A history that was read.
         *
         * @param saved the configuration of the job, from the file beside the history; without properties if there is none
         * @param source the file
         */
        void visit(JobInfo job, Configuration saved, String source) throws IOException;

        /** A file that is no history, or not a whole one; ends the visit unless it is overridden. */
        default void unreadable(IOException problem) throws IOException {
            throw problem;
        }
    }

    /**
     * All job histories at a path: a file, a directory (with all below) or a pattern.
     *
     * @param leftOut takes one sentence for each file that cannot be read
     * @throws FileNotFoundException if there is no such path
     */
    public List<JobRun> read(String where, Consumer<String> leftOut) throws IOException {
        List<JobRun> runs = new ArrayList<>();
        visit(where, new Visitor() {
            @Override
            public void visit(JobInfo job, Configuration saved, String source) {
                runs.add(summarise(job, limit(saved), source));
            }

            @Override
            public void unreadable(IOException problem) {
                leftOut.accept(problem.getMessage());
            }
        });
        return runs;
    }

    /**
     * Visits all job histories at a path: a file, a directory (with all below) or a pattern.
     *
     * @throws FileNotFoundException if there is no such path
     */
    public void visit(String where, Visitor visitor) throws IOException {
        Path path = new Path(where);
        FileSystem fs = path.getFileSystem(conf);
        FileStatus[] found = fs.globStatus(path);
        if (found == null || found.length == 0) {
            throw new FileNotFoundException(where + ": no such file");
        }
        for (FileStatus status : found) {
            if (status.isDirectory()) {
                for (RemoteIterator<LocatedFileStatus> files = fs.listFiles(status.getPath(), true);
                        files.hasNext(); ) {
                    Path file = files.next().getPath();
                    if (file.getName().endsWith(SUFFIX)) {
                        visitOne(fs, file, visitor);
                    }
                }
            } else {
                visitOne(fs, status.getPath(), visitor);
            }
        }
    }

    /**
     * The history of a job that has ended, where ApplicationMasters leave it or where a history server has moved it;
     * empty if it is in neither place.
     *
     * @param application id of its YARN application
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
                List<JobRun> runs = new ArrayList<>();
                visitOne(
                        fs,
                        found[0].getPath(),
                        (history, saved, source) -> runs.add(summarise(history, limit(saved), source)));
                return Optional.of(runs.get(0));
            }
        }
        return Optional.empty();
    }

    private static void visitOne(FileSystem fs, Path file, Visitor visitor) throws IOException {
        JobInfo job;
        Configuration saved;
        Path beside;
        try {
            job = parse(fs, file);
            beside = new Path(file.getParent(), job.getJobId() + "_conf.xml");
            saved = SavedConfiguration.read(fs, beside);
        } catch (IOException e) {
            visitor.unreadable(e);
            return;
        }
        try {
            visitor.visit(job, saved, file.toString());
        } catch (IllegalArgumentException | IllegalStateException e) { // a text where a number belongs, ${a} in ${a}
            visitor.unreadable(new IOException(
                    beside + ": has a value that no job can have: " + SavedConfiguration.oneLine(e), e));
        }
    }

    private static JobInfo parse(FileSystem fs, Path file) throws IOException {
        JobHistoryParser parser = new JobHistoryParser(fs, file);
        JobInfo job;
        try {
            job = parser.parse();
        } catch (IOException | RuntimeException e) {
            throw new IOException(file + ": not a job history: " + SavedConfiguration.oneLine(e), e);
        }
        if (parser.getParseException() != null) {
            throw new IOException(file + ": not a complete job history", parser.getParseException());
        }
        if (job.getJobId() == null) {
            throw new IOException(file + ": contains no job");
        }
        return job;
    }

    /** The container limit of a job. */
    private static int limit(Configuration saved) {
        return Math.max(
                saved.getInt(MRJobConfig.JOB_RUNNING_MAP_LIMIT, 0),
                saved.getInt(MRJobConfig.JOB_RUNNING_REDUCE_LIMIT, 0));
    }

    private static JobRun summarise(JobInfo job, int limit, String source) {
        List<long[]> spans = new ArrayList<>();
        for (TaskInfo task : job.getAllTasks().values()) {
            for (TaskAttemptInfo attempt : task.getAllTaskAttempts().values()) {
                if (attempt.getStartTime() > 0 && attempt.getFinishTime() > attempt.getStartTime()) {
                    spans.add(new long[] {attempt.getStartTime(), attempt.getFinishTime()});
                }
            }
        }
        double busy = spans.stream().mapToDouble(s -> s[1] - s[0]).sum() / 1000;
        double span = (spans.stream().mapToLong(s -> s[1]).max().orElse(0)
                        - spans.stream().mapToLong(s -> s[0]).min().orElse(0))
                / 1000.0;
        double seconds = (job.getFinishTime() - job.getSubmitTime()) / 1000.0;
        Counters counters = job.getTotalCounters();
        return new JobRun(
                job.getJobname(),
                String.valueOf(job.getJobId()),
                "SUCCEEDED".equals(job.getJobStatus()) && seconds > 0,
                seconds,
                limit,
                span > 0 ? busy / span : 0,
                most(spans),
                (int) (job.getTotalMaps() + job.getTotalReduces()),
                perSecond(cpuSeconds(counters), busy),
                perSecond(ioBytes(counters), busy),
                source);
    }

    private static int most(List<long[]> spans) {
        long[] starts = spans.stream().mapToLong(s -> s[0]).sorted().toArray();
        long[] ends = spans.stream().mapToLong(s -> s[1]).sorted().toArray();
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

    private static double cpuSeconds(Counters counters) {
        if (counters == null) {
            return Double.NaN;
        }
        return counters.findCounter(TaskCounter.CPU_MILLISECONDS).getValue() / 1000.0;
    }

    private static double ioBytes(Counters counters) {
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
