// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.heddle.offers.model.PortRange;
import org.heddle.offers.model.Ports;
import org.heddle.offers.model.Resources;
import org.junit.jupiter.api.Test;

class TaskPlacementTest {
    private static int[] none(int count) {
        int[] preferred = new int[count];
        java.util.Arrays.fill(preferred, TaskPlacement.NOWHERE);
        return preferred;
    }

    @Test
    void largestFirstSoThatBothFit() {
        List<Resources> tasks = List.of(Resources.of(1000, 300), Resources.of(1000, 700));
        List<Resources> offers = List.of(Resources.of(4000, 700), Resources.of(4000, 300));
        assertThat(TaskPlacement.place(tasks, offers, none(2))).containsExactly(1, 0);
    }

    @Test
    void twoOffersDoNotMakeOneLargeOne() {
        List<Resources> offers = List.of(Resources.of(1000, 500), Resources.of(1000, 500));
        assertThat(TaskPlacement.place(List.of(Resources.of(1000, 600)), offers, none(1)))
                .containsExactly(TaskPlacement.NOWHERE);
    }

    @Test
    void thePreferredOfferIsTriedFirst() {
        List<Resources> offers = List.of(Resources.of(1000, 500), Resources.of(1000, 500));
        assertThat(TaskPlacement.place(List.of(Resources.of(500, 100)), offers, new int[] {1}))
                .containsExactly(1);
        assertThat(TaskPlacement.place(
                        List.of(Resources.of(1000, 500), Resources.of(1000, 500)), offers, new int[] {1, 1}))
                .containsExactly(1, 0);
    }

    @Test
    void portsMustBeThere() {
        Resources offer = new Resources(1000, 500, 0, new Ports(List.of(new PortRange(31000, 31009))));
        Resources good = new Resources(100, 10, 0, new Ports(List.of(new PortRange(31005, 31005))));
        Resources bad = new Resources(100, 10, 0, new Ports(List.of(new PortRange(31010, 31010))));
        assertThat(TaskPlacement.place(List.of(good, bad, good), List.of(offer), none(3)))
                .as("a port is lent once")
                .containsExactly(0, TaskPlacement.NOWHERE, TaskPlacement.NOWHERE);
    }

    @Test
    void whateverIsPlacedFits() {
        for (long seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            List<Resources> tasks = bundles(random, 1 + random.nextInt(20), 1000);
            List<Resources> offers = bundles(random, 1 + random.nextInt(5), 4000);
            int[] placed = TaskPlacement.place(tasks, offers, none(tasks.size()));
            for (int offer = 0; offer < offers.size(); offer++) {
                Resources sum = Resources.NONE;
                for (int task = 0; task < placed.length; task++) {
                    sum = placed[task] == offer ? sum.plus(tasks.get(task)) : sum;
                }
                assertThat(offers.get(offer).contains(sum)).as("seed %d", seed).isTrue();
            }
        }
    }

    private static List<Resources> bundles(Random random, int count, int most) {
        List<Resources> bundles = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            bundles.add(Resources.of(1 + random.nextInt(most), 1 + random.nextInt(most)));
        }
        return bundles;
    }
}
