// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * How a task is looked at while it runs.
 *
 * @param health a task that fails it too often in a row is ended; otherwise what is found is only told
 * @param command to run in the task's sandbox, empty for the others; found is its exit status, 0 is good
 * @param port of this node to connect to; found is whether that succeeds (1, 0)
 * @param path to get from that port over HTTP, empty to connect only; found is the answer's status, 200 to 399 is good
 * @param delayMillis from the start of the task to the first look
 * @param intervalMillis from the end of a look to the next
 * @param timeoutMillis what takes longer has failed; 0 for no limit
 * @param failures in a row that end the task
 * @param graceMillis from the start, in which failures do not count until it was good once
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

    boolean good(int found) {
        if (!command.isEmpty()) {
            return found == 0;
        }
        return path.isEmpty() ? found == 1 : found >= 200 && found < 400;
    }
}
