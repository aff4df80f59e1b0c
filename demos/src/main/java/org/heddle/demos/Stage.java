// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.heddle.testkit.ClusterBuilder;
import org.heddle.testkit.HeddleCluster;
import org.jspecify.annotations.Nullable;

/**
 * What a demo stands on: a directory, a log file, and a cluster that is gone afterwards however the demo ended. Ctrl-C
 * closes the cluster from a thread of its own; what then fails on the demo's thread fails because of that.
 */
public final class Stage {
    private static final String TARGET = "heddle.demo.target";

    private static final int INTERRUPTED = 130;

    private final Path home;
    private final PrintStream console;
    private final List<Runnable> afterwards = new ArrayList<>();
    private volatile boolean stopping;

    private Stage(Path home, PrintStream console) {
        this.home = home;
        this.console = console;
    }

    /** The part of a demo that needs the running cluster. */
    public interface Act {
        /** Returns the demo's exit code. */
        int play(HeddleCluster cluster) throws Exception;
    }

    /** Where the build puts what it makes of the demos: {@code demos/target} of the source tree. */
    public static Path target() {
        return Path.of(System.getProperty(TARGET, "target")).toAbsolutePath();
    }

    /** The directory of the source tree. */
    public static Path tree() {
        return target().resolve("../..").normalize();
    }

    /**
     * Makes the directory and sends to a file in it what daemons say.
     *
     * @param name of the demo
     * @param wanted directory to use; null for a new one where the build puts things
     */
    public static Stage set(String name, @Nullable Path wanted, PrintStream console) throws IOException {
        Path home;
        if (wanted != null) {
            Files.createDirectories(wanted);
            home = wanted.toRealPath();
        } else {
            Path parent = Files.createDirectories(target().resolve("demo"));
            home = Files.createTempDirectory(parent.toRealPath(), name + "-");
        }
        Logs.toFile(home.resolve("cluster.log"));
        return new Stage(home, console);
    }

    /** Where everything goes that the demo leaves behind. */
    public Path home() {
        return home;
    }

    /** Something to do once the cluster is closed, however it came to that; maybe twice. */
    public void afterwards(Runnable task) {
        afterwards.add(task);
    }

    /**
     * Starts the cluster, plays, and closes it.
     *
     * @param onInterrupt what to end before the cluster when the user presses Ctrl-C
     */
    public int play(ClusterBuilder plan, Runnable onInterrupt, Act act) throws Exception {
        HeddleCluster cluster = plan.directory(home).build();
        Thread cleaner = new Thread(() -> stop(cluster, onInterrupt), "demo-cleaner");
        Runtime.getRuntime().addShutdownHook(cleaner);
        try {
            console.println("Starting HDFS and YARN, log in " + home.resolve("cluster.log"));
            cluster.start();
            console.println("Up: " + cluster.webAddress() + " (until the demo ends)");
            return act.play(cluster);
        } catch (Exception e) {
            if (stopping) {
                return INTERRUPTED;
            }
            throw e;
        } finally {
            cluster.close();
            afterwards.forEach(Runnable::run);
            Logs.closeAfter(cleaner);
        }
    }

    private void stop(HeddleCluster cluster, Runnable onInterrupt) {
        stopping = true;
        onInterrupt.run();
        console.println();
        console.println("Stopping the cluster ..");
        cluster.close();
        afterwards.forEach(Runnable::run);
    }
}
