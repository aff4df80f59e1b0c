// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.jobhistory;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Writes job histories with Hadoop's writer, whose methods other packages cannot call. */
public final class HistoryFile {
    private HistoryFile() {}

    public static void write(java.nio.file.Path file, List<HistoryEvent> events) throws IOException {
        FileSystem local = FileSystem.getLocal(new Configuration(false)).getRawFileSystem();
        EventWriter writer = new EventWriter(local.create(new Path(file.toString())), EventWriter.WriteMode.JSON);
        for (HistoryEvent event : events) {
            writer.write(event);
        }
        writer.close();
    }
}
