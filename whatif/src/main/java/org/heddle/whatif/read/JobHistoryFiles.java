// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.read;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.AMInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.JobInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskAttemptInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskInfo;
import org.heddle.packing.fit.JobHistories;
import org.heddle.whatif.model.History;
import org.heddle.whatif.model.Job;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.model.TaskKind;
import org.jspecify.annotations.Nullable;

/**
 * Reads MapReduce's job histories. Of each task the attempt that succeeded is replayed, or the longest one if none did;
 * other attempts (failed, killed, backups) are counted and left out.
 */
public final class JobHistoryFiles implements JobHistories.Visitor {
    private static final float DEFAULT_SLOWSTART = 0.05f;

    private static final int PROGRESS_FILES = 1_000;

    private final Consumer<String> progress;
    private final List<Job> jobs = new ArrayList<>();
    private long leftOut;
    private long withoutConfiguration;
    private long unreadable;
    private @Nullable IOException firstProblem;

    private JobHistoryFiles(Consumer<String> progress) {
        this.progress = progress;
    }

    /**
     * Reads all histories at a path: a file, a directory (with all below) or a pattern. Files that cannot be read are left
     * out and counted in a remark.
     *
     * @param conf names the default file system; a path without a scheme that exists on this machine is local
     * @param progress takes a sentence now and then
     * @throws HistoryException if there is no history with a job
     */
    public static History read(String where, Configuration conf, Consumer<String> progress) throws HistoryException {
        JobHistoryFiles files = new JobHistoryFiles(progress);
        boolean local = !where.contains(":/") && Files.exists(Paths.get(where));
        try {
            new JobHistories(conf).visit(local ? "file://" + Paths.get(where).toAbsolutePath() : where, files);
        } catch (FileNotFoundException e) {
            throw new HistoryException(
                    where + " does not exist; give the directory with the .jhist files of finished jobs", e);
        } catch (IOException e) {
            throw new HistoryException(where + " cannot be read: " + e.getMessage(), e);
        }
        return files.history(where);
    }

    private History history(String where) throws HistoryException {
        IOException problem = firstProblem;
        if (jobs.isEmpty() && problem != null) {
            throw new HistoryException(problem.getMessage() + "; give the .jhist files of finished jobs", problem);
        }
        if (jobs.isEmpty()) {
            throw new HistoryException(where + " has no .jhist file of a job that ran; give the directory to which the"
                    + " history server moves finished jobs (mapreduce.jobhistory.done-dir)");
        }
        List<String> remarks = new ArrayList<>();
        if (problem != null) {
            remarks.add(unreadable + (unreadable == 1 ? " file is" : " files are")
                    + " no whole job history and left out; the first: " + problem.getMessage());
        }
        if (withoutConfiguration > 0) {
            remarks.add(
                    withoutConfiguration + " of " + jobs.size() + " jobs have no _conf.xml beside the history: their"
                            + " containers count with MapReduce's defaults");
        }
        if (leftOut > 0) {
            remarks.add(leftOut + " attempts that did not succeed, or were not needed, are not replayed");
        }
        return new History(jobs, remarks);
    }

    @Override
    public void unreadable(IOException problem) {
        unreadable++;
        if (firstProblem == null) {
            firstProblem = problem;
        }
    }

    @Override
    public void visit(JobInfo info, Configuration saved, String source) {
        if (info.getSubmitTime() <= 0) {
            unreadable(new IOException(source + ": does not say when the job was submitted"));
            return;
        }
        if (saved.size() == 0) {
            withoutConfiguration++;
        }
        JobConf conf = new JobConf(saved);
        RecordedTasks tasks = new RecordedTasks();
        Size map = new Size(
                conf.getMemoryRequired(TaskType.MAP),
                conf.getInt(MRJobConfig.MAP_CPU_VCORES, MRJobConfig.DEFAULT_MAP_CPU_VCORES));
        Size reduce = new Size(
                conf.getMemoryRequired(TaskType.REDUCE),
                conf.getInt(MRJobConfig.REDUCE_CPU_VCORES, MRJobConfig.DEFAULT_REDUCE_CPU_VCORES));
        Size master = new Size(
                conf.getInt(MRJobConfig.MR_AM_VMEM_MB, MRJobConfig.DEFAULT_MR_AM_VMEM_MB),
                conf.getInt(MRJobConfig.MR_AM_CPU_VCORES, MRJobConfig.DEFAULT_MR_AM_CPU_VCORES));
        float slowstart = conf.getFloat(MRJobConfig.COMPLETED_MAPS_FOR_REDUCE_SLOWSTART, DEFAULT_SLOWSTART);
        if (!info.getUberized()) {
            for (TaskInfo task : new TreeMap<>(info.getAllTasks()).values()) {
                boolean isMap = task.getTaskType() == TaskType.MAP;
                TaskAttemptInfo attempt = isMap || task.getTaskType() == TaskType.REDUCE ? chosen(task) : null;
                if (attempt != null) {
                    tasks.add(
                            isMap ? TaskKind.MAP : TaskKind.REDUCE,
                            isMap ? map : reduce,
                            attempt.getStartTime(),
                            attempt.getFinishTime());
                }
            }
        }
        jobs.add(new Job(
                String.valueOf(info.getJobId()),
                String.valueOf(info.getUsername()),
                String.valueOf(info.getJobQueueName()),
                info.getSubmitTime(),
                Math.max(0, info.getFinishTime()),
                master,
                startMillis(info),
                slowstart,
                tasks.groups()));
        if (jobs.size() % PROGRESS_FILES == 0) {
            progress.accept(jobs.size() + " histories are read");
        }
    }

    /** From the start of the master to its first request; for a job inside its master, to its end. */
    private static long startMillis(JobInfo info) {
        List<AMInfo> masters = info.getAMInfos();
        long began = masters == null || masters.isEmpty() ? 0 : masters.get(0).getStartTime();
        if (began <= 0) {
            began = info.getSubmitTime();
        }
        return Math.max(0, (info.getUberized() ? info.getFinishTime() : info.getLaunchTime()) - began);
    }

    private @Nullable TaskAttemptInfo chosen(TaskInfo task) {
        TaskAttemptInfo best = null;
        for (TaskAttemptInfo attempt : new TreeMap<>(task.getAllTaskAttempts()).values()) {
            if (attempt.getStartTime() <= 0 || attempt.getFinishTime() < attempt.getStartTime()) {
                continue;
            }
            if (best != null) {
                leftOut++;
            }
            if (best == null || isBetter(attempt, best)) {
                best = attempt;
            }
        }
        return best;
    }

    private static boolean isBetter(TaskAttemptInfo attempt, TaskAttemptInfo than) {
        boolean succeeded = "SUCCEEDED".equals(attempt.getTaskStatus());
        boolean before = "SUCCEEDED".equals(than.getTaskStatus());
        return succeeded == before
                ? attempt.getFinishTime() - attempt.getStartTime() > than.getFinishTime() - than.getStartTime()
                : succeeded;
    }
}
