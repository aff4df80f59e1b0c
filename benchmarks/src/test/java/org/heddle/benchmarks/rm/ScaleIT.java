// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Scale;
import org.heddle.benchmarks.scale.ScaleExperiment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment with small clusters: it comes to its end, and no cost grows with the number of queues. */
@Tag("soak")
class ScaleIT {
    /** Ten times as many queues. A cost that grows with their number would be near that, the logarithm's is 1.5. */
    private static final double MOST = 5;

    @TempDir
    private Path scratch;

    @Test
    void tenTimesAsManyQueuesCostLittleMore() throws Exception {
        Run run = new Run(Scale.QUICK, List.of(1L), Path.of("..").toRealPath(), scratch, ignored -> {});
        Map<String, Row> rows = new ScaleExperiment()
                .run(run).rows().stream().collect(Collectors.toMap(Row::name, Function.identity()));
        assertThat(rows)
                .containsOnlyKeys(
                        "100 queues, heddle",
                        "1,000 queues, heddle",
                        "10 resource types, heddle",
                        "failover of 1,000 nodes and 1,000 applications, heddle");
        assertThat(rows.values()).noneMatch(row -> row.figures().containsKey("not done after, s"));
        Row queues = rows.get("1,000 queues, heddle");
        assertThat(queues).isNotNull();
        assertThat(queues.median("node heartbeat, x the first row")).isLessThan(MOST);
        assertThat(queues.median("application added, x the first row")).isLessThan(MOST);
        assertThat(queues.median("node added, us")).isPositive();
        assertThat(rows.get("failover of 1,000 nodes and 1,000 applications, heddle"))
                .isNotNull()
                .extracting(row -> row.median("all nodes back after s"))
                .satisfies(seconds -> assertThat(seconds).isPositive());
    }
}
