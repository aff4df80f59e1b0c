// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two queues on 15 slots, entitled to 14 and 1 of them. */
@Tag("pure")
class QueueLagTest {
    private static final double LIMIT = 1e9;
    private static final Offset<Double> EXACT = within(1e-6);

    private final VirtualTime time = new VirtualTime(0);
    private final QueueLag large = new QueueLag(time);
    private final QueueLag small = new QueueLag(time);
    private long now;

    QueueLagTest() {
        large.setShare(true, 14, LIMIT);
        small.setShare(true, 1, LIMIT);
    }

    private void after(long millis) {
        now += millis;
        time.advance(now);
    }

    private void change(Runnable change) {
        large.beforeChange();
        small.beforeChange();
        change.run();
        double speed = time.speed();
        large.afterChange(speed);
        small.afterChange(speed);
    }

    @Test
    void slotsTakenBeforeOthersAskedAreNoDebt() {
        change(() -> small.setHungry(true));
        small.setHeld(15);
        after(60_000);
        change(() -> large.setHungry(true));
        after(10_000);
        assertThat(small.now()).as("it displaces nobody").isEqualTo(0, EXACT);
        assertThat(large.now()).as("and owes nobody").isEqualTo(0, EXACT);
        small.setHeld(1);
        large.setHeld(14);
        after(10_000);
        assertThat(small.now()).isEqualTo(0, EXACT);
        assertThat(large.now()).isEqualTo(0, EXACT);
    }

    @Test
    void slotsThatItTakesLaterAreADebt() {
        change(() -> small.setHungry(true));
        small.setHeld(5);
        change(() -> large.setHungry(true));
        large.setHeld(8);
        small.setHeld(7);
        after(1_000);
        assertThat(small.now())
                .as("two more beside the one that it is entitled to")
                .isLessThan(-1_500);
        assertThat(small.now() + large.now()).isEqualTo(0, EXACT);
    }

    @Test
    void whatItWasEntitledToBeforeOthersPaidIsNoDebt() {
        large.setShare(false, 0, LIMIT);
        change(() -> small.setShare(true, 15, LIMIT));
        change(() -> small.setHungry(true));
        small.setHeld(15);
        after(60_000);
        change(() -> {
            small.setShare(true, 1, LIMIT);
            large.setShare(true, 14, LIMIT);
            large.setHungry(true);
        });
        after(10_000);
        assertThat(small.now()).isEqualTo(0, EXACT);
        assertThat(large.now()).isEqualTo(0, EXACT);
    }

    @Test
    void aDebtIsNotShedByWithdrawingAndAskingAgain() {
        change(() -> {
            small.setHungry(true);
            large.setHungry(true);
        });
        large.setHeld(1);
        small.setHeld(1);
        small.setHeld(14);
        after(10_000);
        double debt = small.now();
        assertThat(debt).isEqualTo(-130_000, EXACT);
        for (int i = 0; i < 100; i++) {
            change(() -> small.setHungry(false));
            change(() -> small.setHungry(true));
            change(() -> large.setHungry(false));
            change(() -> large.setHungry(true));
        }
        assertThat(small.now()).isEqualTo(debt, EXACT);
        after(1_000);
        assertThat(small.now()).as("and grows as before").isEqualTo(debt - 13_000, EXACT);
    }

    @Test
    void nobodyStoresCreditByStayingIdle() {
        change(() -> small.setHungry(true));
        small.setHeld(15);
        after(3_600_000);
        assertThat(large.now()).isZero();
        change(() -> large.setHungry(true));
        assertThat(large.now()).isZero();
    }
}
