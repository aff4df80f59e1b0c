// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.drf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.heddle.demos.drf.ClusterRest.App;
import org.heddle.demos.drf.Scenario.Tenant;
import org.heddle.demos.drf.Workload.Place;
import org.heddle.demos.drf.Workload.Size;
import org.heddle.testkit.HeddleCluster;

/** Runs one job of a user after the other, so that the user stays backlogged, and checks each finished run. */
final class Lane implements Runnable {
    private static final long POLL_NANOS = 200_000_000;

    private final HeddleCluster cluster;
    private final Contender contender;
    private final Scenario scenario;
    private final Tenant tenant;
    private final Workload workload;
    private final org.apache.hadoop.fs.Path text;
    private final Size size;
    private final long seed;
    private final boolean firstIsRequired;
    private final String name;
    private final JobBoard board;
    private final Workload.Truth truth;
    private final Path home;

    /**
     * A lane.
     *
     * @param home where logs of failed jobs are put
     * @param number of the lane among the user's; the first run of lane 0 must succeed, all others may be stopped
     */
    Lane(
            HeddleCluster cluster,
            Contender contender,
            Scenario scenario,
            Tenant tenant,
            Workload workload,
            org.apache.hadoop.fs.Path text,
            Size size,
            long seed,
            int number,
            JobBoard board,
            Workload.Truth truth,
            Path home) {
        this.cluster = cluster;
        this.contender = contender;
        this.scenario = scenario;
        this.tenant = tenant;
        this.workload = workload;
        this.text = text;
        this.size = size;
        this.seed = seed;
        this.firstIsRequired = number == 0;
        this.name = "lane" + number;
        this.board = board;
        this.truth = truth;
        this.home = home;
    }

    @Override
    public void run() {
        for (int run = 0; !board.isClosing(); run++) {
            boolean required = firstIsRequired && run == 0;
            Place place = new Place(
                    text,
                    new org.apache.hadoop.fs.Path("/user/" + tenant.user() + "/" + name + "-run" + run),
                    seed + run);
            try {
                run(place, required);
            } catch (Exception e) {
                if (!board.isAbandoned() && (required || !board.isClosing())) {
                    board.add(new Check(title() + " of " + tenant.user(), false, String.valueOf(e.getMessage())));
                }
                return;
            } finally {
                if (required) {
                    board.requiredDone();
                }
            }
        }
    }

    private void run(Place place, boolean required) throws Exception {
        for (int stage = 0; stage < workload.stages(); stage++) {
            String id = submit(place, stage);
            if (!required) {
                board.stoppable(id);
            }
            App end = awaitEnd(id);
            if (!end.finalStatus().equals("SUCCEEDED")) {
                if (board.isAbandoned() || (board.isClosing() && !required)) {
                    return;
                }
                Path logs = home.resolve(id + ".log");
                Files.writeString(logs, cluster.logs().describe(id));
                throw new IOException("job " + id + " " + end.finalStatus() + ": "
                        + end.diagnostics().strip().lines().findFirst().orElse("no diagnostics")
                        + "; what its containers wrote is in " + logs);
            }
            board.jobSucceeded(tenant.user());
            if (!required && board.isClosing()) {
                return;
            }
        }
        board.add(titled(workload.check(cluster.fileSystem(), place, size, truth)));
    }

    private Check titled(Check check) {
        return new Check(title() + " of " + tenant.user() + ": " + check.what(), check.holds(), check.seen());
    }

    private String title() {
        return tenant.work();
    }

    private String submit(Place place, int stage) throws Exception {
        return cluster.as(tenant.user(), () -> {
            Job job = workload.job(stage, configuration(), place, size);
            job.submit();
            return job.getJobID().toString().replace("job_", "application_");
        });
    }

    private App awaitEnd(String id) {
        while (true) {
            App app = board.apps().get(id);
            if (app != null && app.isOver()) {
                return app;
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted while " + id + " runs");
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private Configuration configuration() {
        Configuration conf = cluster.configuration();
        conf.set("mapreduce.job.queuename", contender.queueOf(tenant));
        conf.setLong("yarn.app.mapreduce.am.resource.mb", scenario.masterMemoryMb());
        conf.setLong("yarn.app.mapreduce.am.resource.cpu-vcores", 1);
        for (String kind : new String[] {"map", "reduce"}) {
            conf.setLong("mapreduce." + kind + ".memory.mb", tenant.taskMemoryMb());
            conf.setLong("mapreduce." + kind + ".cpu.vcores", tenant.taskVcores());
            conf.setBoolean("mapreduce." + kind + ".speculative", false);
        }
        conf.setFloat("mapreduce.job.reduce.slowstart.completedmaps", 1);
        return conf;
    }
}
