// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.heddle.journal.LocalStorage;
import org.heddle.journal.UnavailableException;
import org.heddle.testkit.machine.SmallDisk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A state directory on a file system that is really full. */
class FullStateDiskTest {
    private static final byte[] VALUE = new byte[10_000];

    @Test
    void theBridgeWaitsForRoomAndGoesOn(@TempDir Path disk) throws Exception {
        SmallDisk.run(FullStateDiskTest.class, disk);
    }

    /** Makes room when it is asked for the fifth time. */
    private static final class Operator implements Journal.Outage {
        private final Path disk;
        private final List<String> told = new ArrayList<>();

        Operator(Path disk) {
            this.disk = disk;
        }

        @Override
        public boolean pause(UnavailableException failure) {
            told.add(String.valueOf(failure.getMessage()));
            if (told.size() == 5) {
                try {
                    SmallDisk.makeRoom(disk);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return true;
        }

        @Override
        public void end() {
            told.add("end");
        }
    }

    /** The program on the small disk. */
    public static void main(String[] args) throws IOException {
        Path disk = Path.of(args[0]);
        Path directory = disk.resolve("state");
        Operator operator = new Operator(disk);
        try (Journal journal = Journal.open(new LocalStorage(directory), operator)) {
            journal.commit(Map.of("a", VALUE), true);
            SmallDisk.fill(disk);
            journal.commit(Map.of("b", VALUE), false);
            journal.commit(Map.of("c", VALUE), true);
        }
        assertThat(operator.told).hasSize(6).endsWith("end");
        assertThat(operator.told.subList(0, 5))
                .allMatch(sentence ->
                        sentence.startsWith(directory + " cannot be written, because its disk or the quota"));
        SmallDisk.fill(disk);
        operator.told.clear();
        try (Journal journal = operator.withRoom(() -> Journal.open(new LocalStorage(directory), operator))) {
            assertThat(operator.told).as("it starts on a full disk").hasSize(6).endsWith("end");
            assertThat(journal.live()).containsOnlyKeys("a", "b", "c");
            assertThat(journal.live().values()).allMatch(value -> value.length == VALUE.length);
        }
    }
}
