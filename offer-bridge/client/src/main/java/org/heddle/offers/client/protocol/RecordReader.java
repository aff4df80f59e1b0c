// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client.protocol;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reads RecordIO: a length in decimal, a line feed, and so many bytes. */
final class RecordReader implements Closeable {
    private static final int LONGEST = 64 << 20;
    private static final int DIGITS = 9;

    private final InputStream in;

    RecordReader(InputStream in) {
        this.in = new BufferedInputStream(in);
    }

    /** The next record, or null at the end of the stream. */
    byte @Nullable [] next() throws IOException {
        int length = 0;
        int digits = 0;
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                return null;
            }
            if (c < '0' || c > '9' || ++digits > DIGITS) {
                throw new IOException("the event stream is not RecordIO");
            }
            length = length * 10 + (c - '0');
        }
        if (length > LONGEST) {
            throw new IOException("an event of " + length + " bytes: want at most " + LONGEST);
        }
        byte[] record = new byte[length];
        for (int at = 0; at < length; ) {
            int count = in.read(record, at, length - at);
            if (count < 0) {
                throw new EOFException("the event stream ended within an event");
            }
            at += count;
        }
        return record;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
