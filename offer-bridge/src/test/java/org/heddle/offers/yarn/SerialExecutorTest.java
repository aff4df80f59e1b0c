// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("FutureReturnValueIgnored") // the tasks themselves are waited for
class SerialExecutorTest {
    private final ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(4);
    private final SerialExecutor serial = new SerialExecutor(pool);

    @AfterEach
    void stop() {
        pool.shutdownNow();
    }

    private <T> T inTask(java.util.concurrent.Callable<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        serial.execute(() -> {
            try {
                result.complete(task.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        return result.join();
    }

    @Test
    void tasksOfManyThreadsRunOneAtATimeAndInOrder() {
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        for (int i = 0; i < 1_000; i++) {
            int number = i;
            serial.execute(() -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                order.add(number);
                running.decrementAndGet();
            });
        }
        assertThat(inTask(() -> List.copyOf(order))).hasSize(1_000).isSortedAccordingTo(Integer::compare);
        assertThat(most).hasValue(1);
    }

    @Test
    void aTaskThatComesWhileAnotherRunsWaitsForIt() {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        serial.execute(() -> {
            entered.countDown();
            try {
                leave.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            order.add("heartbeat");
        });
        CompletableFuture.runAsync(
                        () -> {
                            try {
                                entered.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            serial.execute(() -> order.add("finish"));
                            leave.countDown();
                        },
                        pool)
                .join();
        assertThat(inTask(() -> List.copyOf(order))).containsExactly("heartbeat", "finish");
    }

    @Test
    void aScheduledTaskIsOneOfThem() {
        CompletableFuture<Boolean> checked = new CompletableFuture<>();
        serial.schedule(
                () -> {
                    serial.checkThread();
                    checked.complete(true);
                },
                1);
        assertThat(checked.join()).isTrue();
    }

    @Test
    void otherThreadsAreFoundOut() {
        assertThat(inTask(() -> {
                    serial.checkThread();
                    return "in a task";
                }))
                .isEqualTo("in a task");
        assertThatThrownBy(serial::checkThread)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("runs none of the application's tasks");
        assertThat(CompletableFuture.runAsync(serial::checkThread, pool)).failsWithin(java.time.Duration.ofSeconds(60));
    }

    @Test
    void aTaskThatFailsStopsNothing() {
        serial.execute(() -> {
            throw new IllegalArgumentException("as the test wants");
        });
        assertThat(inTask(() -> "runs")).isEqualTo("runs");
    }
}
