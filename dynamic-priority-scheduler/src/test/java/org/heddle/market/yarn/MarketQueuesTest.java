// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.read.SpecReader;
import org.heddle.scheduler.model.PreemptionSettings.Mode;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.SchedulerSpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether containers are preempted in a market: both the market's key and the scheduler's file must say so. */
class MarketQueuesTest {
    private static final String FILE = "<heddle-scheduler version=\"1\"><queue name=\"root\"/>%s</heddle-scheduler>";

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {"0,-,OFF", "0,on,OFF", "5000,-,OFF", "5000,off,OFF", "5000,dry-run,DRY_RUN", "5000,on,ON"})
    void theFileIsObeyed(long preemptionMillis, @Nullable String written, Mode expected) throws Exception {
        String element = written == null ? "" : "<preemption><mode>%s</mode></preemption>".formatted(written);
        SchedulerSpec file = new SpecReader(KnownNames.of(List.of("drf", "fifo"), Map.of("memory-mb", "Mi")))
                .read("heddle-scheduler.xml", FILE.formatted(element).getBytes(StandardCharsets.UTF_8));
        assertThat(MarketQueues.of(file, List.of("alice"), Set::of, preemptionMillis, 0.01)
                        .preemption()
                        .mode())
                .isEqualTo(expected);
    }

    @Test
    void accountsBelowAParentQueueGetQueuesForTheirOwners() throws Exception {
        String file = "<heddle-scheduler version=\"1\"><queue name=\"root\"><queue name=\"science\"><queue"
                + " name=\"physics\"/></queue></queue></heddle-scheduler>";
        SchedulerSpec read = new SpecReader(KnownNames.of(List.of("drf", "fifo"), Map.of("memory-mb", "Mi")))
                .read("heddle-scheduler.xml", file.getBytes(StandardCharsets.UTF_8));
        List<String> accounts =
                List.of("alice", "science.physics", "science.chemistry", "nowhere.bob", "science.physics.x");

        QueueSpec root = MarketQueues.of(read, accounts, account -> Set.of("carol"), 0, 0.01)
                .root();

        assertThat(root.all().map(QueueSpec::path))
                .containsExactlyInAnyOrder(
                        "root", "root.science", "root.science.physics", "root.science.chemistry", "root.alice");
        QueueSpec chemistry = root.all()
                .filter(queue -> queue.path().endsWith("chemistry"))
                .findFirst()
                .orElseThrow();
        assertThat(chemistry.submit().everyone()).isFalse();
        assertThat(chemistry.submit().users()).containsExactly("carol");
    }
}
