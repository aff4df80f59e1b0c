// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.spark;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.spark.scheduler.AccumulableInfo;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorMetricsUpdate;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.scheduler.TaskInfo;
import org.heddle.late.policy.AttemptRegistry;
import org.heddle.late.policy.Decision;
import org.heddle.late.policy.LatePolicy;
import org.heddle.late.policy.Settings;
import org.heddle.late.policy.TaskKind;
import scala.Tuple4;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/**
 * Reports which tasks of a Spark application would get a backup. Spark allows no listener to start an attempt, so this
 * class only advises; each task is reported once. Not thread safe, and Spark calls a listener on one thread.
 */
public final class BackupAdvisor extends SparkListener {
    private static final class Stage {
        final AttemptRegistry registry = new AttemptRegistry();
        final RecordCounts records = new RecordCounts();
        final LatePolicy policy;

        Stage(Settings settings) {
            policy = new LatePolicy(registry, settings);
        }
    }

    private final Settings settings;
    private final Function<TaskInfo, String> node;
    private final LongSupplier clock;
    private final Consumer<Decision> advice;
    private final Map<Integer, Stage> stages = new HashMap<>();

    /**
     * @param settings {@code reportMillis} must be Spark's {@code spark.executor.heartbeatInterval}
     * @param node the machine on which a task runs, usually {@link TaskInfo#host}
     * @param clock milliseconds since 1970 on the driver, as in the events
     * @param advice receives each launch; the name of a task is {@code stage S task T}
     */
    public BackupAdvisor(
            Settings settings, Function<TaskInfo, String> node, LongSupplier clock, Consumer<Decision> advice) {
        this.settings = settings;
        this.node = node;
        this.clock = clock;
        this.advice = advice;
    }

    @Override
    public void onStageSubmitted(SparkListenerStageSubmitted event) {
        int tasks = event.stageInfo().numTasks();
        Stage stage = new Stage(settings);
        stage.registry.total(TaskKind.MAP, tasks);
        stage.registry.waiting(TaskKind.MAP, tasks);
        stages.put(event.stageInfo().stageId(), stage);
    }

    @Override
    public void onTaskStart(SparkListenerTaskStart event) {
        Stage stage = stages.get(event.stageId());
        if (stage != null) {
            TaskInfo task = event.taskInfo();
            stage.registry.started(
                    TaskKind.MAP, name(event.stageId(), task), attempt(task), node.apply(task), task.launchTime());
            if (!task.speculative()) {
                stage.registry.waiting(TaskKind.MAP, -1);
            }
        }
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd event) {
        Stage stage = stages.get(event.stageId());
        if (stage != null) {
            TaskInfo task = event.taskInfo();
            stage.registry.ended(attempt(task), task.finishTime(), task.successful());
            stage.records.ended(task.taskId(), task.successful(), event.taskMetrics());
            if (!task.successful() && !task.speculative()) {
                stage.registry.waiting(TaskKind.MAP, 1);
            }
        }
    }

    @Override
    public void onStageCompleted(SparkListenerStageCompleted event) {
        stages.remove(event.stageInfo().stageId());
    }

    /** A heartbeat of an executor, with the metrics of its running tasks. */
    @Override
    public void onExecutorMetricsUpdate(SparkListenerExecutorMetricsUpdate event) {
        long now = clock.getAsLong();
        for (Tuple4<Object, Object, Object, Seq<AccumulableInfo>> task :
                JavaConverters.seqAsJavaList(event.accumUpdates())) {
            Stage stage = stages.get((Integer) task._2());
            if (stage != null) {
                long id = (Long) task._1();
                stage.records.update(id, JavaConverters.seqAsJavaList(task._4()));
                double score = stage.records.score(id);
                if (score > 0) {
                    stage.registry.reported(Long.toString(id), score, now);
                }
            }
        }
        for (Stage stage : stages.values()) {
            for (Decision decision : stage.policy.scan(now)) {
                if (decision.action() == Decision.Action.LAUNCH) {
                    // In a scheduler: start an attempt, and call requested() instead.
                    stage.registry.requestedInDryRun(TaskKind.MAP, decision.task());
                    advice.accept(decision);
                }
            }
        }
    }

    private static String name(int stage, TaskInfo task) {
        return "stage " + stage + " task " + task.index();
    }

    private static String attempt(TaskInfo task) {
        return Long.toString(task.taskId());
    }
}
