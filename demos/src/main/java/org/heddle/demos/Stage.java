// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.heddle.testkit.HeddleCluster;
import org.jspecify.annotations.Nullable;

/**
 * What every demo with a cluster does around its play: a directory for what it leaves, the daemons' log in it, the cluster
 * up, and down again whether the play ends, fails or is broken off by Ctrl-C.
 *
 * <pre>
 * Stage stage = new Stage("market", out, console);
 * HeddleCluster cluster = HeddleCluster.builder(). .. .directory(stage.home()).build();
 * return stage.play(cluster, "HDFS and YARN under ..", () -> run(cluster) ? 0 : 1);
 * </pre>
 */
public final class Stage {
    /** What a demo answers that was broken off: 128 and the number of the signal, as shells count. */
    private static final int BROKEN_OFF = 130;

    /** Told by the launcher: where the build put things. */
    private static final String TARGET = "heddle.demo.target";

    private final Path home;
    private final PrintStream console;
    private final List<Runnable> whenBrokenOff = new ArrayList<>();
    private final List<Runnable> afterwards = new ArrayList<>();
    private volatile boolean brokenOff;

    /** The demo itself, on a cluster that is up. */
    public interface Play {
        /** Returns the exit code. */
        int run() throws Exception;
    }

    /**
     * Makes the directory, and sends what is logged to a file there.
     *
     * @param demo its name
     * @param wanted directory for what it leaves; null for a new one where the build puts things
     */
    public Stage(String demo, @Nullable Path wanted, PrintStream console) throws IOException {
        this.console = console;
        Path parent = wanted == null ? Path.of(System.getProperty(TARGET, "target"), "demo") : wanted;
        Path made = Files.createDirectories(parent).toRealPath();
        home = wanted == null ? Files.createTempDirectory(made, demo + "-") : made;
        Logs.toFile(home.resolve("cluster.log"));
    }

    /** Where plots and logs go. */
    public Path home() {
        return home;
    }

    /** Something to do at Ctrl-C before the cluster is closed, so that the play does not take that for a failure. */
    public void whenBrokenOff(Runnable task) {
        whenBrokenOff.add(task);
    }

    /** Something to do once the cluster is closed, however it came to that; maybe twice. */
    public void afterwards(Runnable task) {
        afterwards.add(task);
    }

    /**
     * Starts a cluster, runs a play on it and closes it.
     *
     * @param what is being started, for the console
     * @return the play's exit code, or 130 if it was broken off
     */
    public int play(HeddleCluster cluster, String what, Play play) throws Exception {
        Thread cleaner = new Thread(() -> breakOff(cluster), "demo-cleaner");
        Runtime.getRuntime().addShutdownHook(cleaner);
        try {
            long begin = System.nanoTime();
            console.println("Starting " + what + ", log in " + home.resolve("cluster.log"));
            cluster.start();
            console.printf("Up in %d s: %s%n", (System.nanoTime() - begin) / 1_000_000_000L, cluster.webAddress());
            return play.run();
        } catch (Exception e) {
            if (brokenOff) {
                return BROKEN_OFF; // what failed, failed because of that
            }
            throw e;
        } finally {
            cluster.close();
            afterwards.forEach(Runnable::run);
            Logs.closeAfter(cleaner);
        }
    }

    private void breakOff(HeddleCluster cluster) {
        brokenOff = true;
        whenBrokenOff.forEach(Runnable::run);
        console.println();
        console.println("Stopping the cluster ..");
        cluster.close();
        afterwards.forEach(Runnable::run);
    }
}
