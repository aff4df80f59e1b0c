// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Events for the bridge, numbered from 1 and kept until the bridge has stored them. Without a bridge they wait; a new
 * connection gets all of them again, in order. The lock ensures that they are sent in the order of their numbers.
 */
final class Outbox {
    private static final long MOST_HELD = 2 << 20;

    /** A connection. */
    interface Line {
        void send(byte[] frame) throws IOException;
    }

    @GuardedBy("this")
    private final TreeMap<Long, byte[]> unsettled = new TreeMap<>();

    /** Size of all of them, in bytes. */
    @GuardedBy("this")
    private long held;

    @GuardedBy("this")
    private long last;

    @GuardedBy("this")
    private @Nullable Line line;

    @GuardedBy("this")
    private boolean closed;

    /** Queues an event and sends it if there is a connection; returns its number. */
    synchronized long event(byte what, String key, FrameCodec.Fields fields) {
        long seq = ++last;
        if (closed) {
            return seq;
        }
        byte[] frame = FrameCodec.frame(AgentProtocol.EVENT, out -> {
            out.writeLong(seq);
            out.writeByte(what);
            out.writeUTF(key);
            fields.write(out);
        });
        unsettled.put(seq, frame);
        held += frame.length;
        send(frame);
        return seq;
    }

    /** Sends a frame if there is a connection, and forgets it otherwise. */
    synchronized void now(byte[] frame) {
        send(frame);
    }

    @GuardedBy("this")
    private void send(byte[] frame) {
        Line to = line;
        if (to == null) {
            return;
        }
        try {
            to.send(frame);
        } catch (IOException e) {
            // The reader of the same socket also gets an error and reconnects. The event is kept.
            line = null;
        }
    }

    /** Uses this connection from now on, and sends all stored events first. */
    synchronized void connect(Line to) throws IOException {
        for (byte[] frame : unsettled.values()) {
            to.send(frame);
        }
        line = to;
    }

    /** Takes no events from now on. */
    synchronized void close() {
        closed = true;
    }

    synchronized void disconnect() {
        line = null;
    }

    synchronized void settle(long seq) {
        byte[] frame = unsettled.remove(seq);
        if (frame != null) {
            held -= frame.length;
        }
    }

    /** Whether so much waits for the bridge that calls of executors must wait, too. */
    synchronized boolean isFull() {
        return held > MOST_HELD;
    }
}
