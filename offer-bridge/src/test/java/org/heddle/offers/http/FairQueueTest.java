// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What comes first of what waits. The thread is a list of runnables here. */
@Tag("pure")
class FairQueueTest {
    private final ArrayDeque<Runnable> thread = new ArrayDeque<>();
    private final List<String> done = new ArrayList<>();
    private final FairQueue queue = new FairQueue(thread::add, 600_000);

    @CanIgnoreReturnValue
    private CompletableFuture<String> submit(String group, String name) {
        return queue.submit(group, () -> {
            done.add(name);
            return name;
        });
    }

    @Test
    void groupsTakeTurnsAndTheNewestOfAGroupComesFirst() {
        submit("many", "m1");
        submit("many", "m2");
        submit("many", "m3");
        submit("few", "f1");
        thread.remove().run();
        assertThat(done).containsExactly("m3", "f1", "m2", "m1");
        submit("few", "f2");
        thread.remove().run();
        assertThat(done).endsWith("f2");
    }

    /** 64 clients that send the next wrong secret as soon as they hear of the last one. */
    @Test
    void whoeverComesLastIsNotKeptOutByThoseWhoAskAgain() {
        for (int i = 0; i < 64; i++) {
            askAgain();
        }
        CompletableFuture<String> right = submit("same", "right");
        var unused = right.thenRun(() -> asking = false);
        thread.remove().run();
        assertThat(done.indexOf("right")).isZero();
        assertThat(done).hasSize(65);
    }

    private boolean asking = true;

    private void askAgain() {
        var unused = submit("same", "wrong").thenRun(() -> {
            if (asking) {
                askAgain();
            }
        });
    }

    @Test
    void anErrorEndsOneAndNotTheOthers() {
        CompletableFuture<String> wrong = queue.submit("one", () -> {
            throw new IllegalStateException("on purpose");
        });
        CompletableFuture<String> other = submit("one", "other");
        thread.remove().run();
        assertThat(wrong).isCompletedExceptionally();
        assertThat(other).isCompletedWithValue("other");
    }

    @Test
    void whatWaitsForTooLongIsForgotten() {
        List<Runnable> never = new ArrayList<>();
        Executor noThread = never::add;
        FairQueue impatient = new FairQueue(noThread, 1);
        CompletableFuture<String> late = impatient.submit("one", () -> {
            done.add("late");
            return "late";
        });
        assertThatThrownBy(() -> late.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(TimeoutException.class);
        never.get(0).run();
        assertThat(done).isEmpty();
    }
}
