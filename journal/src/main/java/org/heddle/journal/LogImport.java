// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal;

import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;

/** Writes files of a log with given numbers, for the conversion of an older format before the log is opened. */
public final class LogImport {
    private final LogStorage storage;
    private final String owner;

    /** Deletes what an interrupted import has left. */
    public LogImport(LogStorage storage, String owner) throws IOException {
        this.storage = storage;
        this.owner = owner;
        new LogFiles(storage, owner).deleteAll();
        AcknowledgedNote.create(storage);
    }

    /** A file of records in ascending order of their numbers. */
    public final class Segment implements Closeable {
        private final LogStorage.Output out;
        private final String name;

        private Segment(long epoch, long first) throws IOException {
            name = LogFiles.segment(epoch, first);
            out = storage.create(name, Frames.start(owner, epoch, first));
        }

        public void add(long number, byte[] body) throws IOException {
            byte[] record = new byte[Frames.HEAD + body.length];
            Frames.put(record, 0, number, number - 1, body);
            out.write(record, 0, record.length);
        }

        public String name() {
            return name;
        }

        @Override
        public void close() throws IOException {
            try {
                out.sync();
            } finally {
                out.close();
            }
        }
    }

    public Segment segment(long epoch, long first) throws IOException {
        return new Segment(epoch, first);
    }

    /** The state after a number of records. */
    public void snapshot(long last, byte[] state) throws IOException {
        storage.putIfAbsent(LogFiles.snapshot(last), snapshot(owner, 0, last, state));
    }

    static byte[] snapshot(String owner, long epoch, long last, byte[] state) throws IOException {
        byte[] start = Frames.start(owner, epoch, last);
        byte[] content = Arrays.copyOf(start, start.length + Frames.HEAD + state.length);
        Frames.put(content, start.length, last, last, state);
        return content;
    }
}
