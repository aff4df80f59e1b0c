// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** HDFS, YARN and MapReduce under CapacityScheduler: jobs of two users, local tasks, a failure that can be read. */
@Tag("long-1")
class MapReduceIT {
    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .nodes(1, "/rack1", Map.of("memory-mb", 4096L, "vcores", 4L))
            .nodes(1, "/rack2", Map.of("memory-mb", 4096L, "vcores", 4L))
            .users("alice", "bob")
            .property("yarn.scheduler.capacity.maximum-am-resource-percent", "0.5")
            .hdfs(2)
            .mapReduce()
            .build();

    @Test
    void jobsOfTwoUsersRunSideBySide() throws Exception {
        assertThat(cluster.resourceManager().getResourceScheduler()).isInstanceOf(CapacityScheduler.class);
        Job first = submit("alice", Map.of());
        Job second = submit("bob", Map.of());
        for (Job job : new Job[] {first, second}) {
            assertThat(job.waitForCompletion(false))
                    .withFailMessage(() -> cluster.logs().describe(application(job)))
                    .isTrue();
            // Counters of a finished job come from the history server.
            assertThat(job.getCounters()
                            .findCounter(TaskCounter.MAP_INPUT_RECORDS)
                            .getValue())
                    .isEqualTo(2);
            assertThat(job.getCounters().findCounter(JobCounter.DATA_LOCAL_MAPS).getValue()
                            + job.getCounters()
                                    .findCounter(JobCounter.OTHER_LOCAL_MAPS)
                                    .getValue()
                            + job.getCounters()
                                    .findCounter(JobCounter.RACK_LOCAL_MAPS)
                                    .getValue())
                    .isEqualTo(1);
        }
        FileSystem fs = cluster.fileSystem();
        try (var in = fs.open(new Path("/user/alice/out/part-r-00000"))) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("3\t3\n4\t1\n5\t2\n");
        }
        assertThat(fs.getFileStatus(new Path("/user/bob/out")).getOwner()).isEqualTo("bob");
    }

    @Test
    void pagesAndRestAnswer() throws Exception {
        assertThat(body("/cluster/nodes")).contains("Nodes of the cluster").contains("node2");
        assertThat(body("/ws/v1/cluster/info")).contains("STARTED");
    }

    private static String body(String path) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(cluster.webAddress() + path)).build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(200);
        return response.body();
    }

    @Test
    void errorOutputOfFailedTasksCanBeRead() throws Exception {
        Job job = submit("bob", Map.of(WordLengths.FAIL, "true", "mapreduce.map.maxattempts", "1"));
        assertThat(job.waitForCompletion(false)).isFalse();
        assertThat(cluster.logs().text(application(job), "syslog")).contains("failed as asked");
    }

    @Test
    void blocksAreOnNamedHosts() throws Exception {
        Path file = write("alice", "/user/alice/blocks", "text\n");
        String[] hosts =
                cluster.fileSystem().getFileBlockLocations(file, 0, 1)[0].getHosts();
        assertThat(Arrays.asList("node1", "node2")).containsAll(Arrays.asList(hosts));
    }

    private static Job submit(String user, Map<String, String> properties) throws Exception {
        boolean fails = properties.containsKey(WordLengths.FAIL);
        String directory = "/user/" + user + (fails ? "/failing" : "");
        Path input = write(user, directory + "/in/text", "the cat sat\nabout seven mice");
        return cluster.as(user, () -> {
            Configuration conf = cluster.configuration();
            properties.forEach(conf::set);
            Job job = WordLengths.job(conf, input, new Path(directory + "/out"));
            job.submit();
            return job;
        });
    }

    private static Path write(String user, String file, String text) throws Exception {
        return cluster.as(user, () -> {
            Path path = new Path(file);
            try (FSDataOutputStream out =
                    FileSystem.get(cluster.configuration()).create(path)) {
                out.write(text.getBytes(StandardCharsets.UTF_8));
            }
            return path;
        });
    }

    private static String application(Job job) {
        return job.getJobID().toString().replace("job", "application");
    }
}
