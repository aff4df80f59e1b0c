// SPDX-License-Identifier: Apache-2.0
package org.heddle.tez;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.tez.client.TezClient;
import org.apache.tez.common.counters.TaskCounter;
import org.apache.tez.dag.api.DAG;
import org.apache.tez.dag.api.ProcessorDescriptor;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.dag.api.Vertex;
import org.apache.tez.dag.api.client.DAGStatus;
import org.apache.tez.dag.api.client.StatusGetOpts;
import org.apache.tez.dag.app.dag.speculation.legacy.LegacyTaskRuntimeEstimator;
import org.apache.tez.dag.app.dag.speculation.legacy.SimpleExponentialTaskRuntimeEstimator;
import org.apache.tez.dag.app.dag.speculation.legacy.TaskRuntimeEstimator;
import org.apache.tez.runtime.api.ProcessorContext;
import org.apache.tez.runtime.library.processor.SimpleProcessor;
import org.heddle.drf.DrfScheduler;
import org.heddle.late.tez.LateEstimator;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Real masters and tasks of Tez over a node that is several times slower than the others. */
class LateEstimatorIT {
    private static final String SLOW = "node2";
    private static final int SLOWDOWN = 8;
    private static final int TASKS = 14;
    private static final int STEPS = 50;
    private static final long STEP_MILLIS = 240;

    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .scheduler(DrfScheduler.class.getName())
            .queuesFile(
                    "yarn.scheduler.heddle.configuration.file",
                    "<heddle-scheduler version=\"1\"><queue name=\"root\"><queue name=\"tez\"/></queue>"
                            + "</heddle-scheduler>")
            .nodes(4, Map.of("memory-mb", 1536L, "vcores", 4L))
            .mapReduce()
            .withoutHistoryServer()
            .build();

    private record Told(double seconds, long backups) {}

    /** Beside Tez' own estimators, each with a pause of a second after a backup in place of 15 s. */
    @Test
    void tasksOfASlowNodeGetBackups() throws Exception {
        Told late = run(LateEstimator.class);
        Told legacy = run(LegacyTaskRuntimeEstimator.class);
        Told smoothed = run(SimpleExponentialTaskRuntimeEstimator.class);
        String all = "late " + late + ", legacy " + legacy + ", exponential " + smoothed;
        assertThat(late.backups()).as(all).isBetween(1L, 4L);
        assertThat(late.seconds()).as(all).isLessThan(SLOWDOWN * STEPS * STEP_MILLIS / 1_000.0);
    }

    private static Told run(Class<? extends TaskRuntimeEstimator> estimator) throws Exception {
        TezConfiguration conf = TezIT.session(cluster, "tez");
        conf.setBoolean(TezConfiguration.TEZ_AM_SPECULATION_ENABLED, true);
        conf.setClass(TezConfiguration.TEZ_AM_TASK_ESTIMATOR_CLASS, estimator, TaskRuntimeEstimator.class);
        conf.setLong(TezConfiguration.TEZ_AM_SOONEST_RETRY_AFTER_SPECULATE, 1_000);
        TezClient client = TezClient.create("late", conf, true);
        client.start();
        try {
            client.waitTillReady();
            DAG dag = DAG.create("slow")
                    .addVertex(Vertex.create(
                            "steps",
                            ProcessorDescriptor.create(SlowOnOneNode.class.getName()),
                            TASKS,
                            Resource.newInstance(512, 1)));
            long begin = System.nanoTime();
            DAGStatus status =
                    client.submitDAG(dag).waitForCompletionWithStatusUpdates(EnumSet.of(StatusGetOpts.GET_COUNTERS));
            double seconds = (System.nanoTime() - begin) / 1e9;
            assertThat(status.getState())
                    .as(
                            "%s: %s",
                            status.getDiagnostics(),
                            cluster.logs()
                                    .describe(client.getAppMasterApplicationId().toString()))
                    .isEqualTo(DAGStatus.State.SUCCEEDED);
            return new Told(
                    seconds,
                    status.getDAGCounters()
                            .findCounter(TaskCounter.NUM_SPECULATIONS)
                            .getValue());
        } finally {
            client.stop();
        }
    }

    /** The work of these tasks is to take time. */
    public static final class SlowOnOneNode extends SimpleProcessor {
        public SlowOnOneNode(ProcessorContext context) {
            super(context);
        }

        @Override
        public void run() throws Exception {
            long millis = STEP_MILLIS * (SLOW.equals(System.getenv("NM_HOST")) ? SLOWDOWN : 1);
            for (int step = 1; step <= STEPS; step++) {
                TimeUnit.MILLISECONDS.sleep(millis);
                getContext().setProgress((float) step / STEPS);
            }
        }
    }
}
