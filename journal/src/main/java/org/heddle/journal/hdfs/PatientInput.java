// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal.hdfs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.jspecify.annotations.Nullable;

/** Reads a file whose content is final; while no DataNode has a block of it, waits for one. */
final class PatientInput extends InputStream {
    /** Opens the file. */
    interface Source {
        FSDataInputStream open() throws IOException;
    }

    private final String file;
    private final Source source;
    private @Nullable FSDataInputStream in;
    private long position;

    PatientInput(String file, Source source) throws IOException {
        this.file = file;
        this.source = source;
        in = source.open();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
        Patience patience = new Patience("the DataNodes of " + file);
        while (true) {
            try {
                int read = opened().read(to, from, length);
                position += Math.max(0, read);
                patience.end();
                return read;
            } catch (FileNotFoundException e) {
                throw e;
            } catch (IOException e) {
                close();
                patience.pause(() -> HdfsFailure.sentence(file, e));
            }
        }
    }

    private FSDataInputStream opened() throws IOException {
        FSDataInputStream now = in;
        if (now == null) {
            now = source.open();
            in = now;
            now.seek(position);
        }
        return now;
    }

    @Override
    public void close() throws IOException {
        FSDataInputStream old = in;
        in = null;
        if (old != null) {
            old.close();
        }
    }
}
