// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.heddle.scheduler.yarn.ClusterInvariants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Six hours of scheduler, market and many applications on a virtual clock, with nodes that are lost, applications that
 * are killed and ResourceManagers that end. Profile {@code soak}; {@code -Dheddle.soak.minutes=30} for less.
 */
class MarketSoak {
    private static final int MINUTES = Integer.getInteger("heddle.soak.minutes", 360);
    private static final int CHECK_EVERY = 10;
    /** What a later hour may hold more than the first one: classes that are loaded, codes that are compiled. */
    private static final long HEAP_SLACK = 24L << 20;

    private static final int THREAD_SLACK = 8;
    private static final int FILE_SLACK = 8;

    /**
     * What this process holds.
     *
     * @param heap bytes after a collection of garbage
     */
    private record Holdings(int minute, long heap, int threads, long files, int applications, int remembered) {}

    @TempDir
    Path directory;

    @Test
    void nothingLeaksSharesHoldAndTheBooksBalance() throws Exception {
        List<Holdings> all = new ArrayList<>();
        List<String> report = new ArrayList<>();
        try (MarketSoakRun run = new MarketSoakRun(directory, 20_261_124)) {
            for (int minute = 1; minute <= MINUTES; minute++) {
                run.minute();
                if (minute % CHECK_EVERY == 0) {
                    ClusterInvariants.balance(run.fixture().scheduler());
                    run.checkBooks();
                    Holdings now = holdings(minute, run);
                    all.add(now);
                    report.add(String.format(
                            Locale.ROOT,
                            "%d,%d,%d,%d,%d,%d,%.4f",
                            now.minute(),
                            now.heap() >> 10,
                            now.threads(),
                            now.files(),
                            now.applications(),
                            now.remembered(),
                            run.shareOfFirst()));
                }
            }
            report.add(0, "minute,heap_kib,threads,files,applications,remembered,share_of_first");
            Files.write(Files.createDirectories(Path.of("target/soak")).resolve("market.csv"), report);
            System.out.println(run.summary());
            System.out.println("threads: "
                    + Thread.getAllStackTraces().keySet().stream()
                            .map(Thread::getName)
                            .sorted()
                            .toList());
            assertThat(run.restarts()).as("ResourceManagers ended").isPositive();
            assertThat(run.lostNodes()).as("nodes were lost").isPositive();
            assertThat(run.killed()).as("applications were killed").isPositive();
            // Rates of 3 and 1, both always want more; what is lost on nodes hits both.
            assertThat(run.shareOfFirst()).isCloseTo(0.75, within(0.05));
            compare(all);
            run.endEverything();
            ClusterInvariants.empty(run.fixture().scheduler());
        }
    }

    /** After the first sixth, when everything has been loaded once. */
    private static void compare(List<Holdings> all) {
        Holdings early = all.get(all.size() / 6);
        Holdings last = all.get(all.size() - 1);
        assertThat(last.heap()).as("heap").isLessThan(early.heap() + HEAP_SLACK);
        assertThat(last.threads()).as("threads").isLessThan(early.threads() + THREAD_SLACK);
        assertThat(last.files()).as("open files").isLessThan(early.files() + FILE_SLACK);
        assertThat(all).allSatisfy(one -> {
            assertThat(one.applications()).as("applications of the scheduler").isLessThan(60);
            assertThat(one.remembered()).as("applications that YARN remembers").isLessThan(120);
        });
    }

    private static Holdings holdings(int minute, MarketSoakRun run) throws Exception {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        long files;
        try (var open = Files.list(Path.of("/proc/self/fd"))) {
            files = open.count();
        }
        return new Holdings(
                minute,
                runtime.totalMemory() - runtime.freeMemory(),
                Thread.activeCount(),
                files,
                run.fixture().scheduler().getSchedulerApplications().size(),
                run.fixture().rm.getRMContext().getRMApps().size());
    }
}
