// SPDX-License-Identifier: Apache-2.0
package org.heddle.mesosdriver;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Calls of a driver, sent in order by one thread; one that fails is lost, as in Mesos. */
final class CallQueue {
    private final Executor thread;
    private final Logger log;
    private final Level lost;

    /** A call to the master or the agent. */
    interface Call {
        void send() throws IOException;
    }

    /**
     * @param thread runs one task at a time, in order
     * @param lost the level at which a lost call is logged
     */
    CallQueue(Executor thread, Logger log, Level lost) {
        this.thread = thread;
        this.log = log;
        this.lost = lost;
    }

    void add(Call call) {
        try {
            thread.execute(() -> {
                try {
                    call.send();
                } catch (IOException | RuntimeException e) {
                    log.log(lost, () -> "A call was lost: " + e.getMessage());
                }
            });
        } catch (RejectedExecutionException e) {
            log.fine("A call after the end of the driver");
        }
    }
}
