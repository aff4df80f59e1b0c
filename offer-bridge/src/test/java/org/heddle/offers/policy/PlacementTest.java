// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.heddle.offers.model.Bundle;
import org.heddle.offers.model.PortRange;
import org.heddle.offers.model.Ports;
import org.junit.jupiter.api.Test;

class PlacementTest {
    private static int[] none(int count) {
        int[] preferred = new int[count];
        java.util.Arrays.fill(preferred, Placement.NOWHERE);
        return preferred;
    }

    @Test
    void largestFirstSoThatBothFit() {
        List<Bundle> tasks = List.of(Bundle.of(1000, 300), Bundle.of(1000, 700));
        List<Bundle> offers = List.of(Bundle.of(4000, 700), Bundle.of(4000, 300));
        assertThat(Placement.place(tasks, offers, none(2))).containsExactly(1, 0);
    }

    @Test
    void twoOffersDoNotMakeOneLargeOne() {
        List<Bundle> offers = List.of(Bundle.of(1000, 500), Bundle.of(1000, 500));
        assertThat(Placement.place(List.of(Bundle.of(1000, 600)), offers, none(1)))
                .containsExactly(Placement.NOWHERE);
    }

    @Test
    void thePreferredOfferIsTriedFirst() {
        List<Bundle> offers = List.of(Bundle.of(1000, 500), Bundle.of(1000, 500));
        assertThat(Placement.place(List.of(Bundle.of(500, 100)), offers, new int[] {1}))
                .containsExactly(1);
        assertThat(Placement.place(List.of(Bundle.of(1000, 500), Bundle.of(1000, 500)), offers, new int[] {1, 1}))
                .containsExactly(1, 0);
    }

    @Test
    void portsMustBeThere() {
        Bundle offer = new Bundle(1000, 500, 0, new Ports(List.of(new PortRange(31000, 31009))));
        Bundle good = new Bundle(100, 10, 0, new Ports(List.of(new PortRange(31005, 31005))));
        Bundle bad = new Bundle(100, 10, 0, new Ports(List.of(new PortRange(31010, 31010))));
        assertThat(Placement.place(List.of(good, bad, good), List.of(offer), none(3)))
                .as("a port is lent once")
                .containsExactly(0, Placement.NOWHERE, Placement.NOWHERE);
    }

    @Test
    void whateverIsPlacedFits() {
        for (long seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            List<Bundle> tasks = bundles(random, 1 + random.nextInt(20), 1000);
            List<Bundle> offers = bundles(random, 1 + random.nextInt(5), 4000);
            int[] placed = Placement.place(tasks, offers, none(tasks.size()));
            for (int offer = 0; offer < offers.size(); offer++) {
                Bundle sum = Bundle.NONE;
                for (int task = 0; task < placed.length; task++) {
                    sum = placed[task] == offer ? sum.plus(tasks.get(task)) : sum;
                }
                assertThat(offers.get(offer).contains(sum)).as("seed %d", seed).isTrue();
            }
        }
    }

    private static List<Bundle> bundles(Random random, int count, int most) {
        List<Bundle> bundles = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            bundles.add(Bundle.of(1 + random.nextInt(most), 1 + random.nextInt(most)));
        }
        return bundles;
    }
}
