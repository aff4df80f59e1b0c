// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.offers;

import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.heddle.testkit.HeddleCluster;

/**
 * Figure 5 of Nexus (UCB/EECS-2009-158) in small: Spark has the cluster, MapReduce comes, MPI comes, Spark idles, Spark
 * works again, MapReduce ends. Shares are read from the ResourceManager.
 */
final class SharingRun implements AutoCloseable {
    /** How much longer than planned a phase waits for the fair shares. */
    private static final int MOST_TIMES = 4;
    /** A third of the cluster for MPI. */
    private static final int MPI_PART = 3;

    private final HeddleCluster cluster;
    private final double phaseSeconds;
    private final Path tree;
    private final Path home;
    private final PrintStream console;
    private final ShareTable table;
    private final Map<String, Tenant> tenants = new LinkedHashMap<>();
    private final Map<String, String> about = new LinkedHashMap<>();
    private final List<Sample> samples = new ArrayList<>();
    private final List<String> findings = new ArrayList<>();
    private final long begin = System.nanoTime();
    private boolean good = true;

    /**
     * @param seconds how long all phases take at least
     * @param tree the directory of the source tree
     */
    SharingRun(HeddleCluster cluster, int seconds, Path tree, Path home, PrintStream console, boolean terminal) {
        this.cluster = cluster;
        this.phaseSeconds = seconds / 6.0;
        this.tree = tree;
        this.home = home;
        this.console = console;
        this.table = new ShareTable(console, terminal);
    }

    /** Returns whether every tenant got its share in each phase and nothing failed. */
    boolean run() throws Exception {
        try (DemoBridge bridge = new DemoBridge(cluster, home, Map.of())) {
            URI address = bridge.address();
            console.println("Bridge: " + address + " (until the demo ends)");
            Shares shares = new Shares(cluster.webAddress());
            for (Phase phase : phases(address, (int) shares.vcores())) {
                play(phase, shares);
            }
        } finally {
            close();
        }
        OffersPlot.write(home, "Spark, MapReduce and MPI share one cluster", about, samples);
        console.println();
        console.println("What was seen:");
        findings.forEach(console::println);
        console.println();
        console.println("Shares over time: " + home.resolve("shares.png"));
        return good;
    }

    private List<Phase> phases(URI bridge, int slots) {
        String skipped = MpiTenant.missing();
        boolean mpi = skipped.isEmpty();
        double third = mpi ? 1.0 / MPI_PART : 0;
        double rest = 1 - third;
        List<Phase> phases = new ArrayList<>();
        phases.add(new Phase(
                "Spark comes, and has the cluster",
                Map.of(SparkTenant.NAME, 1.0),
                () -> add(new SparkTenant(cluster, bridge, tree, home, 2 * slots))));
        phases.add(new Phase(
                "MapReduce comes, and gets its half",
                Map.of(SparkTenant.NAME, 0.5, MapReduceTenant.NAME, 0.5),
                () -> add(new MapReduceTenant(cluster))));
        if (mpi) {
            phases.add(new Phase(
                    "MPI comes, and gets its third",
                    Map.of(SparkTenant.NAME, third, MapReduceTenant.NAME, third, MpiTenant.NAME, third),
                    () -> add(new MpiTenant(bridge, tree, home, slots / MPI_PART))));
        } else {
            findings.add("  MPI was SKIPPED: " + skipped);
            console.println("MPI is SKIPPED: " + skipped);
        }
        phases.add(new Phase(
                "Spark idles, and MapReduce uses its part",
                Map.of(MapReduceTenant.NAME, rest, MpiTenant.NAME, third),
                () -> spark().activate(false)));
        phases.add(new Phase(
                "Spark works again, and gets its part",
                Map.of(SparkTenant.NAME, rest / 2, MapReduceTenant.NAME, rest / 2, MpiTenant.NAME, third),
                () -> spark().activate(true)));
        phases.add(new Phase(
                "MapReduce ends, and Spark has all that MPI does not use",
                Map.of(SparkTenant.NAME, rest, MpiTenant.NAME, third),
                () -> tenant(MapReduceTenant.NAME).close()));
        return phases;
    }

    private void add(Tenant tenant) {
        tenants.put(tenant.name(), tenant);
        about.put(tenant.name(), tenant.about());
    }

    private Tenant tenant(String name) {
        Tenant tenant = tenants.get(name);
        if (tenant == null) {
            throw new IllegalStateException(name + " has not been started");
        }
        return tenant;
    }

    private SparkTenant spark() {
        return (SparkTenant) tenant(SparkTenant.NAME);
    }

    // ---- a phase ----

    private void play(Phase phase, Shares shares) throws Exception {
        phase.begin().run();
        double from = now();
        double settled = Double.MAX_VALUE;
        double tolerance = 1.05 / shares.vcores(); // one container
        while (now() < from + phaseSeconds
                || (now() < settled + phaseSeconds / 2 && now() < from + MOST_TIMES * phaseSeconds)) {
            Sample sample = new Sample(now(), shares.now(), phase.fair());
            samples.add(sample);
            if (settled == Double.MAX_VALUE && phase.holds(sample, tenants.keySet(), tolerance)) {
                settled = sample.seconds();
            }
            show(phase, sample);
            TimeUnit.MILLISECONDS.sleep(500);
        }
        judge(phase, from, settled, tolerance);
    }

    private double now() {
        return (System.nanoTime() - begin) / 1e9;
    }

    private void show(Phase phase, Sample sample) {
        List<ShareTable.Line> lines = new ArrayList<>();
        for (Tenant tenant : tenants.values()) {
            lines.add(new ShareTable.Line(
                    tenant.name(),
                    sample.share(tenant.name()),
                    String.format(
                            Locale.ROOT,
                            "fair %3.0f%%   %s   %s",
                            100 * phase.fair(tenant.name()),
                            tenant.progress(),
                            tenant.about())));
        }
        table.show(sample.seconds(), phase.title(), lines);
    }

    /** Compares the means of the settled part of a phase with the fair shares. */
    private void judge(Phase phase, double from, double settled, double tolerance) {
        boolean reached = settled != Double.MAX_VALUE;
        good &= reached;
        String finding = "NOT within " + Math.round(MOST_TIMES * phaseSeconds) + " s";
        if (reached) {
            finding = String.format(Locale.ROOT, "all have their shares after %.0f s", settled - from);
        }
        findings.add("  " + phase.title() + ": " + finding);
        for (Tenant tenant : tenants.values()) {
            double mean = Sample.mean(samples, tenant.name(), reached ? settled : from);
            boolean close = Math.abs(mean - phase.fair(tenant.name())) <= tolerance;
            String trouble = tenant.trouble();
            good &= close && trouble.isEmpty();
            findings.add(String.format(
                    Locale.ROOT,
                    "    %-10s %5.1f %% from then on, fair %5.1f %%  %s %s",
                    tenant.name(),
                    100 * mean,
                    100 * phase.fair(tenant.name()),
                    close ? "ok" : "NOT WITHIN ONE CONTAINER",
                    trouble));
        }
    }

    /** Ends all tenants. */
    @Override
    public void close() {
        tenants.values().forEach(Tenant::close);
    }
}
