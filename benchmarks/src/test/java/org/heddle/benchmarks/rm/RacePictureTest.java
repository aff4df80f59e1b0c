// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.util.List;
import javax.imageio.ImageIO;
import org.heddle.benchmarks.experiment.Curve;
import org.heddle.benchmarks.experiment.Plot;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Spread;
import org.heddle.benchmarks.report.Charts;
import org.junit.jupiter.api.Test;

class RacePictureTest {
    @Test
    void eachSchedulerThatCameToItsEndHasARange() throws Exception {
        List<Row> rows = List.of(
                Row.of("1k nodes, floor").with("a container, us", 20).with("x floor", 1),
                Row.of("1k nodes, heddle")
                        .with("a container, us", 24)
                        .with("x floor", Spread.of(new double[] {1.1, 1.2, 1.5})),
                Row.of("1k nodes, fair").with("failed after blocks", 3));

        Plot plot = RacePicture.of("1k", "", rows);

        assertThat(plot.categories()).containsExactly("floor 20.0 us", "heddle 24.0 us");
        assertThat(plot.curves().stream().map(Curve::y))
                .containsExactly(List.of(1.0, 1.5), List.of(1.0, 1.2), List.of(1.0, 1.1));
        assertThat(ImageIO.read(new ByteArrayInputStream(Charts.png(plot))).getHeight())
                .isEqualTo(500);
    }
}
