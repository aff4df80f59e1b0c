// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Queue a pays 3, b pays 1; a look every 2 s for two minutes. */
class ShareJudgeTest {
    private static final Map<String, Double> RATES = Map.of("a", 3.0, "b", 1.0);
    private static final int WAITING = 5;

    private static List<Probe.Shares> looks(Probe.Queue a, Probe.Queue b) {
        List<Probe.Shares> looks = new ArrayList<>();
        for (int second = 0; second < 120; second += 2) {
            looks.add(new Probe.Shares(second, Map.of("a", a, "b", b)));
        }
        return looks;
    }

    private static Probe.Queue queue(double share, double demand, int pending) {
        return new Probe.Queue(share, demand, 1, pending);
    }

    private static ShareJudge judge(List<Probe.Shares> looks, Killer.Outage... outages) {
        return new ShareJudge(looks, List.of(outages), RATES);
    }

    @Test
    void sharesNearTheRatesHold() {
        ShareJudge judge = judge(looks(queue(0.7, 2, WAITING), queue(0.3, 2, WAITING)));
        assertThat(judge.problems()).isEmpty();
        assertThat(judge.verdicts())
                .extracting(ShareJudge.Verdict::queue, ShareJudge.Verdict::looks, ShareJudge.Verdict::entitled)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("a", 54, 0.75),
                        org.assertj.core.groups.Tuple.tuple("b", 54, 0.25));
    }

    @Test
    void aQueueThatWaitsWithTooLittleIsAProblem() {
        assertThat(judge(looks(queue(0.5, 2, WAITING), queue(0.5, 2, WAITING))).problems())
                .containsExactly("queue a had 0.50 of the cluster while it waited for more, and is entitled to 0.75");
    }

    @Test
    void aQueueThatAsksForLittleNeedsNoMore() {
        assertThat(judge(looks(queue(0.3, 0.35, WAITING), queue(0.7, 2, WAITING)))
                        .problems())
                .isEmpty();
    }

    @Test
    void whatAQueueHasWhileItDoesNotWaitDoesNotCount() {
        assertThat(judge(looks(queue(0, 0, 0), queue(1, 2, WAITING))).problems())
                .isEmpty();
    }

    @Test
    void looksWhileADaemonIsDownDoNotCount() {
        List<Probe.Shares> looks = looks(queue(0.5, 2, WAITING), queue(0.5, 2, WAITING));
        assertThat(judge(looks, new Killer.Outage(0, 110)).problems())
                .containsExactly(
                        "no share could be judged, because no queue waited while all daemons ran: let it run longer");
        assertThat(judge(looks, new Killer.Outage(0, 60)).verdicts())
                .extracting(ShareJudge.Verdict::looks)
                .containsExactly(22, 22);
    }
}
