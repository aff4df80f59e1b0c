// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal.hdfs;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.heddle.journal.LogStorage;
import org.jspecify.annotations.Nullable;

/** A file of HDFS that is being written. Its client replaces failed DataNodes; what it cannot repair is a failure here. */
final class HdfsOutput implements LogStorage.Output {
    private final String place;
    private final FSDataOutputStream stream;
    private final @Nullable LeadCheck before;

    /** @param before asked before each write; null if the file is not part of the log */
    HdfsOutput(String place, FSDataOutputStream stream, @Nullable LeadCheck before) {
        this.place = place;
        this.stream = stream;
        this.before = before;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        if (before != null) {
            before.beforeWrite();
        }
        try {
            stream.write(bytes, from, length);
        } catch (IOException e) {
            throw HdfsFailure.sentence(place, e);
        }
    }

    @Override
    public void sync() throws IOException {
        try {
            stream.hsync();
        } catch (IOException e) {
            throw HdfsFailure.sentence(place, e);
        }
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
