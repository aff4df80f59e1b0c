// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.heddle.scheduler.accounting.HourlyUsage;
import org.heddle.scheduler.accounting.UsageFormat;
import org.heddle.scheduler.accounting.UsageRow;
import org.heddle.scheduler.yarn.RmFixture;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One node of ten containers, and a half-life of an hour. */
@Tag("newer-line")
class PastUsageTest {
    private static final long HOUR = 3_600_000;
    private static final String NODE = "127.2.0.1";

    @TempDir
    Path directory;

    private static String spec(String halfLife) {
        return "<heddle-scheduler version=\"1\"><usage-half-life>" + halfLife + "</usage-half-life>"
                + "<queue name=\"root\"><queue name=\"a\"/><queue name=\"b\"/></queue></heddle-scheduler>";
    }

    private static void pass(RmFixture fixture, int minutes) {
        for (int i = 0; i < minutes; i++) {
            fixture.clock.tick(60_000);
            fixture.scheduler().update();
        }
    }

    private static double weight(RmFixture fixture, String path) {
        return fixture.schedulable(path).weight();
    }

    @Test
    void aQueueThatUsedAllGetsAQuarterOfTheOtherWhenBothAsk() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, spec("1h"))) {
            fixture.node(NODE, 10_000, 10);
            RmFixture.App a = fixture.unmanaged("alice", "a").ask(100, 1_000, 1);
            fixture.heartbeat();
            assertThat(a.collect().containers).hasSize(10);
            pass(fixture, 240);
            assertThat(weight(fixture, "a")).isCloseTo(0.25, within(0.01));
            assertThat(weight(fixture, "b")).isCloseTo(1, within(0.01));
            RmFixture.App b = fixture.unmanaged("bob", "b").ask(100, 1_000, 1);
            a.release(a.ids().toArray(ContainerId[]::new));
            fixture.heartbeat();
            fixture.heartbeat();
            assertThat(b.collect().containers).as("four fifths").hasSize(8);
            pass(fixture, 30);
            assertThat(weight(fixture, "a")).as("b has used something, too").isGreaterThan(0.3);

            fixture.write(spec("off"));
            fixture.scheduler().reinitialize(fixture.conf, fixture.rm.getRMContext());
            fixture.scheduler().update();
            assertThat(List.of(weight(fixture, "a"), weight(fixture, "b"))).containsExactly(1.0, 1.0);
            a.end();
            b.end();
            fixture.assertNothingLeft();
        }
    }

    @Test
    void usersOfAQueueToo() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, spec("1h"))) {
            fixture.node(NODE, 10_000, 10);
            RmFixture.App alice = fixture.unmanaged("alice", "a").ask(100, 1_000, 1);
            fixture.heartbeat();
            pass(fixture, 240);
            RmFixture.App bob = fixture.unmanaged("bob", "a").ask(100, 1_000, 1);
            pass(fixture, 1);
            assertThat(weight(fixture, "a/alice")).isCloseTo(0.25, within(0.01));
            assertThat(weight(fixture, "a/bob")).isCloseTo(1, within(0.01));
            alice.end();
            pass(fixture, 1);
            RmFixture.App again = fixture.unmanaged("alice", "a").ask(1, 1_000, 1);
            pass(fixture, 1);
            assertThat(weight(fixture, "a/alice"))
                    .as("the past of a user without an application counts")
                    .isLessThan(0.3);
            bob.end();
            again.end();
        }
    }

    @Test
    void whatWasUsedBeforeAStartCounts() throws Exception {
        Path usage = directory.resolve("usage");
        Path hour = Files.createDirectories(usage.resolve("1970-01")).resolve("1970-01-02T02.jsonl");
        UsageRow row = new UsageRow(
                "root.a", "alice", "application_1_0001", "sort", "MAPREDUCE", Map.of("memory-mb", 10_000 * HOUR), 9, 0);
        Files.writeString(hour, UsageFormat.text(new HourlyUsage(26 * HOUR, 26 * HOUR + 900_000, List.of(row))));
        try (RmFixture fixture =
                new RmFixture(directory, spec("1h"), "yarn.scheduler.heddle.usage.directory", usage.toString())) {
            fixture.setDatesByTheClock();
            fixture.node(NODE, 10_000, 10);
            Await.until("past usage to be read", Duration.ofSeconds(30), () -> {
                fixture.scheduler().update();
                return weight(fixture, "a") < 0.3;
            });
            assertThat(weight(fixture, "b")).isCloseTo(1, within(0.01));
        }
    }
}
