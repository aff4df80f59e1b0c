// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.offers;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.heddle.offers.client.Bridges;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.jobs.SleepyMaps;
import org.jspecify.annotations.Nullable;

/**
 * {@code --small}: two backlogs of tasks and a job come one after the other; shares are read from the ResourceManager.
 */
final class BacklogRun {
    private static final String USER = "alice";
    private static final String JOB = "sleepy-maps";
    private static final int MAP_SECONDS = 4;

    /** From the job's first map on, until all three have had time to get what is theirs. */
    private static final double SETTLES_SECONDS = 8;
    /** When the job does not begin: how much longer than it should the demo waits for it. */
    private static final int MOST_TIMES = 4;

    private static final double LEAST_SHARE = 0.15;

    private final HeddleCluster cluster;
    private final int seconds;
    private final Path home;
    private final PrintStream console;
    private final ShareTable table;
    private final List<Sample> samples = new ArrayList<>();
    private double contendedFrom = Double.MAX_VALUE;

    BacklogRun(HeddleCluster cluster, int seconds, Path home, PrintStream console, boolean terminal) {
        this.cluster = cluster;
        this.seconds = seconds;
        this.home = home;
        this.console = console;
        this.table = new ShareTable(console, terminal);
    }

    /** Returns whether all three got their part and nothing failed. */
    boolean run() throws Exception {
        try (DemoBridge bridge = new DemoBridge(cluster, home, Map.of("container.lease", "5s"))) {
            URI address = bridge.address();
            console.println("Bridge: " + address + " (until the demo ends)");
            console.println();
            try (Backlog many = new Backlog("many", 1, 128, 2, Bridges.at(address));
                    Backlog large = new Backlog("large", 0.5, 700, 4, Bridges.at(address))) {
                return share(List.of(many, large));
            }
        }
    }

    private boolean share(List<Backlog> frameworks) throws Exception {
        Shares shares = new Shares(cluster.webAddress());
        Map<String, String> tenants = new LinkedHashMap<>();
        frameworks.forEach(one -> tenants.put(one.name(), one.demand()));
        tenants.put(JOB, "MapReduce, maps of 512 MiB, " + MAP_SECONDS + " s");
        long begin = System.nanoTime();
        Job job = null;
        int started = 0;
        double now = 0;
        double ofMaster = 0;
        // A master takes a while to begin, longer on a busy machine; the job wants more from its first map on.
        while (now < seconds || (now < MOST_TIMES * seconds && now < contendedFrom + seconds / 4.0)) {
            if (started < frameworks.size() && now >= started * seconds / 4.0) {
                frameworks.get(started++).start();
            }
            if (job == null && now >= seconds / 2.0) {
                job = submit();
            }
            Sample sample = new Sample(now, shares.now(), Map.of());
            samples.add(sample);
            double held = sample.share(JOB);
            ofMaster = ofMaster == 0 ? held : ofMaster;
            if (held > ofMaster && contendedFrom == Double.MAX_VALUE) {
                contendedFrom = now + SETTLES_SECONDS;
            }
            show(sample, tenants, frameworks, job);
            TimeUnit.MILLISECONDS.sleep(500);
            now = (System.nanoTime() - begin) / 1e9;
        }
        contendedFrom = Math.min(contendedFrom, now);
        boolean good = judge(tenants, frameworks, job);
        if (job != null) {
            job.killJob();
        }
        OffersPlot.write(home, "Two frameworks on offers and a MapReduce job share one cluster", tenants, samples);
        console.println();
        console.println("Shares over time: " + home.resolve("shares.png"));
        return good;
    }

    private Job submit() throws Exception {
        return cluster.as(USER, () -> {
            Configuration conf = cluster.configuration();
            conf.set("mapreduce.job.queuename", "root.mapreduce");
            Job job = SleepyMaps.job(conf, JOB, 2_000, TimeUnit.SECONDS.toMillis(MAP_SECONDS), "", 1);
            job.submit();
            return job;
        });
    }

    // ---- showing ----

    private void show(Sample sample, Map<String, String> tenants, List<Backlog> frameworks, @Nullable Job job)
            throws IOException {
        List<ShareTable.Line> lines = new ArrayList<>();
        for (Map.Entry<String, String> tenant : tenants.entrySet()) {
            String text = done(tenant.getKey(), frameworks, job) + " tasks done   " + tenant.getValue();
            lines.add(new ShareTable.Line(tenant.getKey(), sample.share(tenant.getKey()), text));
        }
        table.show(sample.seconds(), "", lines);
    }

    private static int done(String tenant, List<Backlog> frameworks, @Nullable Job job) throws IOException {
        for (Backlog framework : frameworks) {
            if (framework.name().equals(tenant)) {
                return framework.finished();
            }
        }
        return job == null ? 0 : Math.round(job.mapProgress() * 2_000);
    }

    private boolean judge(Map<String, String> tenants, List<Backlog> frameworks, @Nullable Job job)
            throws IOException, InterruptedException {
        boolean good = true;
        console.println();
        console.printf(Locale.ROOT, "While all three wanted more (from %.0f s on):%n", contendedFrom);
        for (String tenant : tenants.keySet()) {
            double mean = Sample.mean(samples, tenant, contendedFrom);
            boolean enough = mean >= LEAST_SHARE;
            good &= enough;
            console.printf(
                    Locale.ROOT,
                    "  %-12s mean dominant share %4.1f%%  %s%n",
                    tenant,
                    100 * mean,
                    enough ? "ok" : "TOO LITTLE: want at least " + Math.round(100 * LEAST_SHARE) + " %");
        }
        for (Backlog framework : frameworks) {
            if (framework.lost() > 0 || !framework.trouble().isEmpty()) {
                console.println("  " + framework.name() + ": " + framework.lost() + " tasks did not finish "
                        + framework.trouble());
                good = false;
            }
        }
        if (job != null && job.getStatus().getState() == org.apache.hadoop.mapreduce.JobStatus.State.FAILED) {
            console.println("  the MapReduce job failed");
            good = false;
        }
        return good;
    }
}
