// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.heddle.settings.process.ProcessStart;
import org.jspecify.annotations.Nullable;

/**
 * Sends signals to process groups, which Java cannot do: one long-lived shell does it with its built-in {@code kill}, so that
 * ending a task starts no process.
 */
final class ProcessGroupSignals {
    @GuardedBy("this")
    private @Nullable Process shell;

    /** Sends TERM or KILL to a group. A group that is gone is not an error. */
    synchronized void send(String signal, long group) throws IOException {
        Process running = shell;
        if (running == null || !running.isAlive()) {
            running = ProcessStart.ours(
                    List.of("sh"),
                    builder -> builder.redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD));
            shell = running;
        }
        OutputStream in = running.getOutputStream();
        in.write(("kill -" + signal + " -" + group + "\n").getBytes(StandardCharsets.US_ASCII));
        in.flush();
    }
}
