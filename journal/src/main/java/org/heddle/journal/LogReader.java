// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the records of one file in order. */
final class LogReader implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(LogReader.class);

    private final String file;
    private final InputStream in;
    private boolean headed;
    private boolean ended;
    private long position = Frames.START;
    private long number;
    private byte[] body = new byte[0];

    /** @throws IOException one sentence: no log, an unknown version, damaged, or of another owner */
    LogReader(LogStorage storage, String name, String owner) throws IOException {
        file = storage.place() + "/" + name;
        in = new BufferedInputStream(storage.read(name), 1 << 16);
        try {
            byte[] start = in.readNBytes(Frames.START);
            ended = start.length < Frames.START || !checkStart(ByteBuffer.wrap(start));
            headed = next();
            if (headed) {
                checkOwner(owner);
            }
        } catch (IOException | RuntimeException e) {
            in.close();
            throw e;
        }
    }

    private boolean checkStart(ByteBuffer start) throws IOException {
        int magic = start.getInt();
        int version = start.getInt();
        if (magic == 0 && version == 0) {
            return false; // a crash left a file that has its length but not yet its content
        }
        if (magic != Frames.MAGIC) {
            throw new IOException(file + " is not a log of Heddle; move it away, or use another directory");
        }
        if (version != Frames.VERSION) {
            throw new IOException(file + " has format version " + version + ", and this Heddle reads version "
                    + Frames.VERSION + "; start the Heddle version that wrote it");
        }
        return true;
    }

    private void checkOwner(String owner) throws IOException {
        DataInputStream fields = new DataInputStream(new ByteArrayInputStream(body));
        fields.readLong(); // the epoch
        number = fields.readLong() - 1;
        String of = fields.readUTF();
        if (!of.equals(owner)) {
            throw new IOException(file + " belongs to " + of + ", not to " + owner + "; use another directory");
        }
    }

    /**
     * Moves to the next record.
     *
     * @return false at the end, which is the first unfinished record
     * @throws IOException if a record is damaged that had been synced
     */
    boolean next() throws IOException {
        if (ended) {
            return false;
        }
        byte[] head = in.readNBytes(Frames.HEAD);
        int length = head.length == Frames.HEAD ? ByteBuffer.wrap(head).getInt() : -1;
        // A damaged length reads no more than the rest of the file.
        byte[] rest = length < 0 ? new byte[0] : in.readNBytes(length);
        byte[] record = Arrays.copyOf(head, head.length + rest.length);
        System.arraycopy(rest, 0, record, head.length, rest.length);
        ByteBuffer fields = ByteBuffer.wrap(record);
        if (length >= 0 && rest.length == length && Frames.crc(record, 8, record.length - 8) == fields.getInt(4)) {
            position += record.length;
            number = fields.getLong(8);
            body = rest;
            return true;
        }
        end(record);
        return false;
    }

    private void end(byte[] damaged) throws IOException {
        byte[] others = in.readAllBytes();
        byte[] all = Arrays.copyOf(damaged, damaged.length + others.length);
        System.arraycopy(others, 0, all, damaged.length, others.length);
        if (all.length > 0 && Frames.laterThanSynced(all, headed ? number + 1 : 0)) {
            throw new IOException(file + " is damaged at byte " + position
                    + ", and records that were written later follow; restore it from a copy");
        }
        if (all.length > 0) {
            LOG.warn("{}: left out {} bytes of records that a crash left unfinished", file, all.length);
        }
        ended = true;
    }

    long number() {
        return number;
    }

    byte[] body() {
        return body;
    }

    /** The body of the only record of a file; null if it is unfinished. */
    static byte @Nullable [] only(LogStorage storage, String name, String owner, long number) throws IOException {
        try (LogReader reader = new LogReader(storage, name, owner)) {
            return reader.next() && reader.number() == number ? reader.body() : null;
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
