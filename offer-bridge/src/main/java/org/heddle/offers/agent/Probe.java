// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.heddle.settings.process.LocaleEncoding;
import org.heddle.settings.process.ProcessStart;

/**
 * A check or health check of a running task, as Mesos defines them.
 *
 * @param health whether failures in a row end the task; otherwise results are only reported
 * @param command to run in the task's sandbox, empty for the other kinds; its exit status is the result, 0 is good
 * @param port of this node to connect to; the result is 1 for success, otherwise 0
 * @param path for a GET over HTTP on that port, empty to connect only; the status is the result, 200 to 399 is good
 * @param delayMillis from the start of the task to the first attempt
 * @param intervalMillis from the end of an attempt to the next
 * @param timeoutMillis after which an attempt has failed; 0 for no limit
 * @param failures in a row that end the task
 * @param graceMillis from the start of the task, in which failures before the first success do not count
 */
public record Probe(
        boolean health,
        List<String> command,
        int port,
        String path,
        long delayMillis,
        long intervalMillis,
        long timeoutMillis,
        int failures,
        long graceMillis) {
    void write(DataOutputStream out) throws IOException {
        out.writeBoolean(health);
        out.writeInt(command.size());
        for (String word : command) {
            FrameCodec.writeText(out, word);
        }
        out.writeInt(port);
        FrameCodec.writeText(out, path);
        out.writeLong(delayMillis);
        out.writeLong(intervalMillis);
        out.writeLong(timeoutMillis);
        out.writeInt(failures);
        out.writeLong(graceMillis);
    }

    static Probe read(DataInputStream in) throws IOException {
        boolean health = in.readBoolean();
        List<String> command = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            command.add(FrameCodec.readText(in));
        }
        return new Probe(
                health,
                command,
                in.readInt(),
                FrameCodec.readText(in),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readInt(),
                in.readLong());
    }

    /** @throws IOException one sentence: the command or the path is not in the locale's encoding */
    void checkEncoding() throws IOException {
        ProcessStart.check(command);
        LocaleEncoding.SYSTEM.check("the path of a check", path);
    }

    boolean good(int found) {
        if (!command.isEmpty()) {
            return found == 0;
        }
        return path.isEmpty() ? found == 1 : found >= 200 && found < 400;
    }
}
