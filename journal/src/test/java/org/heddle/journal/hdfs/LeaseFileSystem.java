// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal.hdfs;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.heddle.journal.LogPoint;

/** A directory of this machine that behaves as HDFS does where a log notices it. Its NameNode's answers can be lost. */
public final class LeaseFileSystem extends RawLocalFileSystem implements LeaseRecoverable {
    private static final String SCHEME = "leases";
    private static final AtomicReference<String> LOST = new AtomicReference<>("");

    /** The storage of a directory of this machine. */
    public static HdfsStorage storage(java.nio.file.Path directory) {
        Configuration conf = new Configuration(false);
        conf.setClass("fs." + SCHEME + ".impl", LeaseFileSystem.class, org.apache.hadoop.fs.FileSystem.class);
        return new HdfsStorage(URI.create(SCHEME + "://" + directory), conf, LogPoint.Watcher.NONE);
    }

    /** The next answer about a new name like this is lost, after it was given. */
    static void loseAnswer(String pattern) {
        LOST.set(pattern);
    }

    @Override
    public URI getUri() {
        return URI.create(SCHEME + ":///");
    }

    @Override
    public boolean rename(Path from, Path to) throws IOException {
        boolean renamed = !exists(to) && exists(from) && super.rename(from, to);
        if (to.getName().matches(LOST.get())) {
            LOST.set("");
            throw new IOException("the connection was closed");
        }
        return renamed;
    }

    @Override
    public boolean recoverLease(Path file) {
        return true;
    }

    @Override
    public boolean isFileClosed(Path file) {
        return true;
    }
}
