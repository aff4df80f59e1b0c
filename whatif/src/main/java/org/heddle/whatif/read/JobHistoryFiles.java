// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.read;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.heddle.packing.fit.JobHistories;
import org.heddle.packing.fit.JobRecord;
import org.heddle.packing.fit.SparkApplication;
import org.heddle.whatif.model.History;
import org.heddle.whatif.model.Job;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.model.TaskKind;

/**
 * Reads MapReduce's job histories, and event logs of Spark. Of each task the attempt that succeeded is replayed, or the
 * longest one if none did; other attempts (failed, killed, backups) are counted and left out.
 */
public final class JobHistoryFiles implements JobHistories.Visitor {
    private static final float DEFAULT_SLOWSTART = 0.05f;

    private static final int PROGRESS_FILES = 1_000;

    private final Consumer<String> progress;
    private final List<Job> jobs = new ArrayList<>();
    private final RecordedNodes nodes;
    private final Tally tally = new Tally();
    private long withoutConfiguration;
    private long ofSpark;

    private JobHistoryFiles(long leastMb, Consumer<String> progress) {
        nodes = new RecordedNodes(leastMb);
        this.progress = progress;
    }

    /**
     * Reads all histories at a path: a file, a directory (with all below) or a pattern. Files that cannot be read are
     * left out and counted in a remark.
     *
     * @param conf names the default file system; a path without a scheme that exists on this machine is local
     * @param leastMb the scheduler makes the memory of each container a multiple of this, in MiB
     * @param progress takes a sentence now and then
     * @throws HistoryException if there is no history with a job
     */
    public static History read(String where, Configuration conf, long leastMb, Consumer<String> progress)
            throws HistoryException {
        JobHistoryFiles files = new JobHistoryFiles(leastMb, progress);
        try {
            new JobHistories(conf).visit(where, files);
        } catch (FileNotFoundException e) {
            throw new HistoryException(
                    e.getMessage() + "; give the directory with the .jhist files of finished jobs", e);
        } catch (IOException e) {
            throw new HistoryException(where + " cannot be read: " + e.getMessage(), e);
        }
        return files.history(where);
    }

    private History history(String where) throws HistoryException {
        if (jobs.isEmpty() && tally.first() != null) {
            throw new HistoryException(tally.first() + "; give the .jhist files or event logs of finished jobs");
        }
        if (jobs.isEmpty()) {
            throw new HistoryException(where
                    + " has no .jhist file of a job that ran, and no event log of Spark; give the directory to which the"
                    + " history server moves finished jobs (mapreduce.jobhistory.done-dir), or spark.eventLog.dir");
        }
        if (withoutConfiguration > 0) {
            tally.also(withoutConfiguration + " of " + jobs.size() + " jobs have no _conf.xml beside the history: their"
                    + " containers count with MapReduce's defaults");
        }
        if (ofSpark > 0) {
            tally.also(
                    ofSpark + (ofSpark == 1 ? " job is" : " jobs are") + " of Spark: their executors are requested at"
                            + " once, and run tasks stage by stage; what no task needed, such as the wait for the first"
                            + " executors, is replayed before the first task");
        }
        return new History(jobs, nodes.nodes(), tally.remarks(jobs));
    }

    @Override
    public void leftOut(String sentence) {
        tally.file(sentence);
    }

    @Override
    public void visit(JobRecord job, Configuration saved, String source) {
        JobConf conf = new JobConf(saved);
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
        RecordedTasks tasks = new RecordedTasks();
        if (!job.inItsMaster()) {
            job.tasks().forEach(task -> add(task, task.isMap() ? map : reduce, tasks));
        }
        nodes.add(job.masterHost(), master, job.masterStartedMillis(), job.finishedMillis());
        tally.withoutTimes(job.leftOut());
        tally.cut(job.cut());
        withoutConfiguration += saved.size() == 0 ? 1 : 0;
        jobs.add(new Job(
                        job.id(),
                        job.user(),
                        job.queue(),
                        job.submittedMillis(),
                        job.finishedMillis(),
                        master,
                        startMillis(job),
                        slowstart,
                        job.succeeded(),
                        tasks.groups())
                .withPriority(priority(conf.get(MRJobConfig.PRIORITY, ""))));
        sayProgress();
    }

    @Override
    public void visit(SparkApplication application, String source) {
        jobs.add(SparkJobs.job(application));
        Size size = SparkJobs.executor(application);
        List<SparkApplication.Executor> executors = application.executors();
        executors.forEach(one -> nodes.add(one.host(), size, one.startMillis(), one.endMillis()));
        if (!executors.isEmpty()) { // the log does not say where the master ran, but one of the nodes held it
            Size master = jobs.get(jobs.size() - 1).master();
            nodes.add(executors.get(0).host(), master, application.submittedMillis(), application.finishedMillis());
        }
        tally.attempts(application.otherAttempts());
        tally.withoutTimes(application.leftOut());
        tally.cut(application.cut());
        ofSpark++;
        sayProgress();
    }

    private void sayProgress() {
        if (jobs.size() % PROGRESS_FILES == 0) {
            progress.accept(jobs.size() + " histories are read");
        }
    }

    private void add(JobRecord.Task task, Size size, RecordedTasks tasks) {
        task.attempts().forEach(attempt -> nodes.add(attempt.host(), size, attempt.startMillis(), attempt.endMillis()));
        tally.attempts(task.attempts().size() - 1L);
        JobRecord.Attempt chosen = task.chosen();
        tasks.add(task.isMap() ? TaskKind.MAP : TaskKind.REDUCE, size, chosen.startMillis(), chosen.endMillis());
    }

    /** As MapReduce submits a job: by the name of a priority, or by a number. */
    private static int priority(String text) {
        try {
            return TypeConverter.toYarnApplicationPriority(text.strip());
        } catch (IllegalArgumentException e) {
            return text.matches("\\s*[0-9]{1,9}\\s*") ? Integer.parseInt(text.strip()) : 0;
        }
    }

    /** From the start of the master to its first request; for a job inside its master, to its end. */
    private static long startMillis(JobRecord job) {
        return Math.max(
                0, (job.inItsMaster() ? job.finishedMillis() : job.launchedMillis()) - job.masterStartedMillis());
    }
}
