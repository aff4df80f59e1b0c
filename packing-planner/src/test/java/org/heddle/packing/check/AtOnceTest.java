// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.ErnestModel;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.RuntimeModel;
import org.heddle.packing.model.WaveModel;
import org.junit.jupiter.api.Test;

class AtOnceTest {
    /** On four slots. */
    private static Problem problem(RuntimeModel... models) {
        List<Job> jobs = IntStream.range(0, models.length)
                .mapToObj(i -> new Job("j" + i, models[i], false, false))
                .toList();
        return new Problem("p", 2, 2, 1, new Alpha(1.3), jobs);
    }

    @Test
    void divisibleWorkTakesItsArea() {
        Problem problem = problem(new PowerModel(400, -1), new PowerModel(200, -1), new PowerModel(120, -1));
        assertThat(AtOnce.withEqualShares(problem)).isCloseTo(180, within(1e-6));
        assertThat(AtOnce.withSharesByWork(problem)).isCloseTo(180, within(1e-6));
    }

    @Test
    void oneLongJobEndsSoonerIfItsShareIsLarger() {
        RuntimeModel twoAtMost = new WaveModel(2, 100, 0);
        RuntimeModel chains = new ErnestModel(200, 0, 0, 0);
        Problem problem = problem(twoAtMost, twoAtMost, twoAtMost, chains);
        assertThat(AtOnce.withEqualShares(problem)).isCloseTo(200, within(1e-6));
        Problem one = problem(new PowerModel(600, -1), new PowerModel(60, -0.1), new PowerModel(60, -0.1));
        assertThat(AtOnce.withSharesByWork(one)).isLessThan(AtOnce.withEqualShares(one));
    }

    @Test
    void nobodyGetsMoreThanHelpsIt() {
        RuntimeModel one = new WaveModel(1, 100, 0);
        assertThat(AtOnce.withEqualShares(problem(one, one, one, one))).isCloseTo(100, within(1e-6));
        assertThat(AtOnce.withEqualShares(problem(one, new PowerModel(300, -1))))
                .as("one slot and three")
                .isCloseTo(100, within(1e-6));
    }

    @Test
    void asAPlanEachJobEndsAtItsTime() {
        Plan plan = AtOnce.plan(problem(new PowerModel(400, -1), new PowerModel(200, -1)));
        assertThat(plan.makespan()).isCloseTo(150, within(1e-6));
        assertThat(plan.phases().get(0).assignments())
                .allMatch(job -> job.start() == 0 && job.vms() == 4)
                .extracting(job -> (double) Math.round(job.seconds()))
                .as("200 of work on two slots each, then 200 on four")
                .containsExactly(150.0, 100.0);
    }

    @Test
    void moreJobsThanSlots() {
        RuntimeModel[] eight = new RuntimeModel[8];
        Arrays.fill(eight, new WaveModel(1, 100, 0));
        assertThat(AtOnce.withEqualShares(problem(eight))).isCloseTo(200, within(1e-6));
    }
}
