// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A step on a local disk fails, and the process lives: its log goes on as soon as the disk does. */
class FailingDiskTest {
    private static final String OWNER = "the test";
    private static final int RECORDS = 4;

    @TempDir
    Path temporary;

    /** Fails at the n-th point that it passes, and at the next points of that kind. */
    private static final class Failures implements LogPoint.Watcher {
        private final int from;
        private final int times;
        private int passed;
        private int failed;
        private @Nullable LogPoint kind;

        Failures(int from, int times) {
            this.from = from;
            this.times = times;
        }

        @Override
        public void at(LogPoint point) throws IOException {
            if (++passed == from) {
                kind = point;
            }
            if (point == kind && failed < times) {
                failed++;
                throw new IOException("No space left on device");
            }
        }
    }

    /** As the market's writer does: after a failure it opens the log again, and writes what is not in it. */
    private static void writeAll(WriteAheadLog log) {
        boolean open = false;
        int written = 0;
        for (int attempt = 0; written < RECORDS; attempt++) {
            assertThat(attempt).isLessThan(100);
            try {
                if (!open) {
                    List<String> found = LogContent.open(log);
                    assertThat(found.size()).isGreaterThanOrEqualTo(written);
                    assertThat(found).isEqualTo(LogContent.upTo(found.size()));
                    open = true;
                }
                int next = written + 1;
                if (log.last() < next) {
                    log.append(List.of(LogContent.body(next)), true);
                }
                if (next % 2 == 0) {
                    log.snapshot(LogContent.state(next));
                }
                written = next;
                // A leader that has written opens it again, and each of these steps fails, too.
                open = next != RECORDS - 1;
            } catch (IOException e) {
                assertThat(e).isNotInstanceOf(FencedException.class).hasMessageContaining("No space left");
                open = false;
            }
        }
    }

    /** No drafts, and no more than one file for each number: what failed would fill the disk. */
    private static void assertNothingIsLeft(Path directory, @Nullable LogPoint failed) throws IOException {
        List<String> firsts = new ArrayList<>();
        for (LogStorage.StoredFile file : new LocalStorage(directory).list()) {
            assertThat(file.name())
                    .as("failed at %s", failed)
                    .matches("lock|epoch|state-[0-9]+|log-[0-9]+-[0-9]+|acknowledged-[0-9]+-[0-9]+");
            if (file.name().startsWith("log-")) {
                firsts.add(file.name().substring(file.name().lastIndexOf('-')));
            }
            if (file.name().startsWith("acknowledged-")) {
                firsts.add("note");
            }
        }
        assertThat(firsts).as("failed at %s", failed).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void theLogGoesOnWhicheverStepFails(int times) throws IOException {
        Set<LogPoint> failed = new TreeSet<>();
        boolean through = false;
        for (int from = 1; !through; from++) {
            Path directory = temporary.resolve("log-" + from);
            Failures failures = new Failures(from, times);
            try (WriteAheadLog log =
                    new WriteAheadLog(new LocalStorage(directory, true, failures), OWNER, modified -> true)) {
                writeAll(log);
            }
            if (failures.kind == null) {
                through = true;
            } else {
                failed.add(failures.kind);
            }
            LogContent content = new LogContent();
            new LogFiles(new LocalStorage(directory), OWNER).read(content);
            assertThat(content.records()).as("failed at %s", failures.kind).isEqualTo(LogContent.upTo(RECORDS));
            assertNothingIsLeft(directory, failures.kind);
        }
        Set<LogPoint> all = new TreeSet<>(Set.of(LogPoint.values()));
        all.removeAll(Set.of(LogPoint.BEFORE_COMMIT, LogPoint.COMMITTED)); // of a database
        assertThat(failed).isEqualTo(all);
    }
}
