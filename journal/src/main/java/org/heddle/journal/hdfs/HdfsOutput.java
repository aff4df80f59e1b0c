// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal.hdfs;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.heddle.journal.LogStorage;
import org.jspecify.annotations.Nullable;

/**
 * A file of HDFS that is being written. Its client replaces failed DataNodes; what it cannot repair is a failure here.
 */
final class HdfsOutput implements LogStorage.Output {
    /** What is looked at while a file of the log is written; null for other files. */
    static final class Checks {
        private final LeadCheck lead;
        private final CopiesCheck copies;

        Checks(LeadCheck lead, CopiesCheck copies) {
            this.lead = lead;
            this.copies = copies;
        }
    }

    private final String place;
    private final FSDataOutputStream stream;
    private final @Nullable Checks checks;

    HdfsOutput(String place, FSDataOutputStream stream, @Nullable Checks checks) {
        this.place = place;
        this.stream = stream;
        this.checks = checks;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        if (checks != null) {
            checks.lead.beforeWrite();
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

    /** DataNodes to which the block is written that is open; those of the file's replication if none is. */
    int copies() throws IOException {
        if (stream instanceof HdfsDataOutputStream) {
            return ((HdfsDataOutputStream) stream).getCurrentBlockReplication();
        }
        return Integer.MAX_VALUE;
    }

    @Override
    public boolean needsNewFile() {
        try {
            return checks != null && checks.copies.needsNewFile(copies());
        } catch (IOException e) {
            return false; // the write that follows fails too, and tells it
        }
    }

    @Override
    public void close() throws IOException {
        try {
            stream.close();
        } catch (IOException e) {
            throw HdfsFailure.sentence(place, e);
        }
    }
}
