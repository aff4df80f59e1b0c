// SPDX-License-Identifier: Apache-2.0
package org.heddle.drf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.CheckpointAMPreemptionPolicy;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Revocation among real MapReduce jobs, whose master follows MapReduce's own checkpointing preemption policy. */
@Tag("long-1")
@Tag("newer-line")
class PreemptionIT {
    private static final String QUEUES = """
            <heddle-scheduler version="1">
              <scheduling-delays><node-locality>0s</node-locality><rack-locality>0s</rack-locality></scheduling-delays>
              <preemption><mode>on</mode><grace-period>8s</grace-period><max-per-second>100%</max-per-second></preemption>
              <queue name="root"><fair-share-preemption-timeout>2s</fair-share-preemption-timeout><queue name="default"/></queue>
            </heddle-scheduler>
            """;

    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .scheduler(DrfScheduler.class.getName())
            .queuesFile("yarn.scheduler.heddle.configuration.file", QUEUES)
            .nodes(1, Map.of("memory-mb", 3072L, "vcores", 12L))
            .users("alice", "bob")
            .property("yarn.app.mapreduce.am.resource.mb", "512")
            .property("mapreduce.map.memory.mb", "512")
            .property("mapreduce.reduce.memory.mb", "512")
            .hdfs(1)
            .mapReduce()
            .build();

    @Test
    void checkpointingMasterIsToldAndTheNewcomerGetsItsShare() throws Exception {
        java.nio.file.Path letGo = cluster.directory().resolve("let-go");
        Job alice = submit("alice", 5, letGo, CheckpointAMPreemptionPolicy.class.getName());
        Await.until("alice's reducers fill the cluster", Duration.ofSeconds(90), () -> containers() >= 6);
        Job bob = submit("bob", 1, cluster.directory(), CheckpointAMPreemptionPolicy.class.getName());
        Await.until("bob's job to end while alice's runs", Duration.ofMinutes(3), bob::isComplete);
        assertThat(bob.isSuccessful()).isTrue();
        assertThat(alice.isComplete()).as("bob did not have to wait for alice").isFalse();
        Files.createFile(letGo);
        assertThat(alice.waitForCompletion(false)).as("alice's job survives").isTrue();
        assertThat(alice.getCounters().findCounter(JobCounter.TASKS_REQ_PREEMPT).getValue())
                .as("reducers that the policy chose to give back")
                .isPositive();
    }

    private static int containers() {
        return cluster.resourceManager()
                .getResourceScheduler()
                .getRootQueueMetrics()
                .getAllocatedContainers();
    }

    /** @param until its reducers run until this is there */
    private static Job submit(String user, int reduces, java.nio.file.Path until, String policy) throws Exception {
        return cluster.as(user, () -> {
            Configuration conf = cluster.configuration();
            conf.set(MRJobConfig.MR_AM_PREEMPTION_POLICY, policy);
            conf.setBoolean(MRJobConfig.TASK_PREEMPTION, true);
            conf.set(HeldReducer.UNTIL, until.toString());
            Path input = new Path("/user/" + user + "/in/text");
            try (FSDataOutputStream out = FileSystem.get(conf).create(input)) {
                out.writeBytes("a line\n");
            }
            Job job = Job.getInstance(conf, "slow reducers of " + user);
            job.setJarByClass(PreemptionIT.class);
            job.setReducerClass(HeldReducer.class);
            job.setNumReduceTasks(reduces);
            job.setSpeculativeExecution(false); // one that is held would be taken for a straggler
            job.setMapOutputKeyClass(LongWritable.class);
            job.setMapOutputValueClass(Text.class);
            FileInputFormat.addInputPath(job, input);
            FileOutputFormat.setOutputPath(job, new Path("/user/" + user + "/out"));
            job.submit();
            return job;
        });
    }

    /**
     * A reducer that runs until a file is there: however slowly the other job's processes start, it is not done before.
     */
    static final class HeldReducer extends Reducer<LongWritable, Text, LongWritable, Text> {
        static final String UNTIL = "test.reducer.until";

        @Override
        protected void setup(Context context) throws IOException, InterruptedException {
            java.nio.file.Path until =
                    java.nio.file.Path.of(context.getConfiguration().get(UNTIL));
            while (!Files.exists(until)) {
                Thread.sleep(100); // this is the work, not a wait of the test
                context.progress();
            }
        }
    }
}
