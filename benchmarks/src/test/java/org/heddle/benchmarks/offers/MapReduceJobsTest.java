// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The iterative jobs beside results that were worked out by hand, in Hadoop's local runner. */
@Tag("long-1")
class MapReduceJobsTest {
    private static final Offset<Double> ROUNDING = within(1e-12);

    @TempDir
    Path directory;

    @Test
    void centersMoveToTheMeansOfTheirPoints() throws Exception {
        String points = write("points", "0 0", "10 0", "1 0", "0 2", "11 0", "9 3");
        KMeansJob.Outcome outcome = KMeansJob.run(local(), points, 2, 2);
        assertThat(outcome.seconds()).hasSize(2);
        assertThat(outcome.centers().get(0)).containsExactly(new double[] {1 / 3.0, 2 / 3.0}, ROUNDING);
        assertThat(outcome.centers().get(1)).containsExactly(new double[] {10, 1}, ROUNDING);
    }

    @Test
    void aCenterWithoutPointsStaysWhereItIs() throws Exception {
        String points = write("points", "4 4", "4 4", "6 4");
        List<double[]> centers = KMeansJob.run(local(), points, 2, 1).centers();
        assertThat(centers.get(0)).containsExactly(new double[] {14 / 3.0, 4}, ROUNDING);
        assertThat(centers.get(1)).containsExactly(4, 4);
    }

    @Test
    void ranksFollowTheLinks() throws Exception {
        // "a" links to "b" twice; "c" has no links; nobody links to "d".
        String links = write("links", "a b", "a b", "a c", "b a", "d a");
        PageRankJob.Outcome outcome = PageRankJob.run(local(), links, 1, 2);
        assertThat(outcome.seconds()).hasSize(2);
        double a = 0.15 + 0.85 * 2;
        double b = 0.15 + 0.85 * 2 / 3;
        double d = 0.15;
        assertThat(outcome.ranks()).containsOnlyKeys("a", "b", "c", "d");
        assertThat(outcome.ranks().get("a")).isCloseTo(0.15 + 0.85 * (b + d), ROUNDING);
        assertThat(outcome.ranks().get("b")).isCloseTo(0.15 + 0.85 * a * 2 / 3, ROUNDING);
        assertThat(outcome.ranks().get("c")).isCloseTo(0.15 + 0.85 * a / 3, ROUNDING);
        assertThat(outcome.ranks().get("d")).isCloseTo(0.15, ROUNDING);
        try (var left = Files.list(directory)) {
            assertThat(left.map(file -> file.getFileName().toString()))
                    .doesNotContain("links-pages-1", "links-pages-2");
        }
    }

    private String write(String name, String... lines) throws Exception {
        return Files.write(directory.resolve(name), List.of(lines)).toString();
    }

    private Configuration local() {
        Configuration conf = new Configuration();
        conf.set("hadoop.tmp.dir", directory.resolve("tmp").toString());
        conf.set("fs.defaultFS", "file:///");
        conf.set("mapreduce.framework.name", "local");
        return conf;
    }
}
