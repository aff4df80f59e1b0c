// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadFactorTest {
    /** Processes that want to run, processors, how many times as long one waits. */
    @ParameterizedTest
    @CsvSource({"-1, 2, 2", "0, 2, 2", "2, 2, 2", "4, 2, 4", "12, 2, 12", "30, 2, 20", "1000, 2, 20", "12, 16, 2"})
    void aBusyMachineGetsMoreTimeAndNotForEver(double load, int processors, double factor) {
        assertThat(LoadFactor.factor(load, processors)).isEqualTo(factor);
    }

    @Test
    void waitingEndsSomeTimeAfterTheDeadline() {
        long begin = System.nanoTime();
        assertThatThrownBy(() -> Await.until("nothing", Duration.ofMillis(50), () -> false))
                .hasMessageContaining("where an idle machine would get 50 ms");
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(100));
    }

    @Test
    void theEndOfAProcessAndAResultCanBeWaitedFor() throws Exception {
        Process process = new ProcessBuilder("sh", "-c", "exit 3").start();
        assertThat(Await.exit("the shell", Duration.ofSeconds(20), process)).isEqualTo(3);
        Process hangs = new ProcessBuilder("sleep", "1000").start();
        assertThatThrownBy(() -> Await.exit("the sleeper", Duration.ofMillis(20), hangs))
                .hasMessageContaining("for the sleeper to end");
        assertThat(Await.exit("the sleeper, killed,", Duration.ofSeconds(20), hangs))
                .isNotZero();

        assertThat(Await.result("it", Duration.ofSeconds(20), CompletableFuture.completedFuture("done")))
                .isEqualTo("done");
        assertThatThrownBy(() -> Await.result(
                        "it", Duration.ofSeconds(20), CompletableFuture.failedFuture(new IllegalStateException("no"))))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("no");
    }
}
