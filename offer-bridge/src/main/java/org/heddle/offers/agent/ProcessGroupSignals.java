// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Signals whole process groups, which Java cannot: one shell that stays, and whose own {@code kill} is told what to do, so
 * that ending a task forks nothing.
 */
final class ProcessGroupSignals {
    @GuardedBy("this")
    private @Nullable Process shell;

    /** Sends TERM or KILL to a group. A group that is gone is not an error. */
    synchronized void send(String signal, long group) throws IOException {
        Process running = shell;
        if (running == null || !running.isAlive()) {
            running = new ProcessBuilder("sh")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            shell = running;
        }
        OutputStream in = running.getOutputStream();
        in.write(("kill -" + signal + " -" + group + "\n").getBytes(StandardCharsets.US_ASCII));
        in.flush();
    }
}
