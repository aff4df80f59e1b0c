// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Time that must pass, because it is what is tested: not a wait for a condition, for which there is Await. */
public final class Pause {
    private Pause() {}

    /** Nobody counts this latch down. */
    public static void millis(long millis) throws InterruptedException {
        assertThat(new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS)).isFalse();
    }
}
