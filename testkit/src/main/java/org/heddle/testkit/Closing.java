// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Steps of closing down: each is run whatever became of those before it; no failure is lost. */
final class Closing {
    private static final Logger LOG = LoggerFactory.getLogger(Closing.class);

    /** Part of closing down. */
    interface Step {
        void run() throws Exception;
    }

    private @Nullable RuntimeException failure;

    /**
     * Runs a step.
     *
     * @param what completes the sentence "closing ... failed"
     */
    void run(String what, Step step) {
        try {
            step.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            remember(what, e);
        } catch (Exception | AssertionError e) {
            remember(what, e);
        }
    }

    private void remember(String what, Throwable problem) {
        LOG.warn("closing {} of the test cluster failed", what, problem);
        if (failure == null) {
            failure = new IllegalStateException("closing " + what + " of the test cluster failed: " + problem, problem);
        } else {
            failure.addSuppressed(problem);
        }
    }

    /** Throws the first failure, with the others attached to it. */
    void finish() {
        if (failure != null) {
            throw failure;
        }
    }
}
