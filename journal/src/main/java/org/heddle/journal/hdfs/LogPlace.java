// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal.hdfs;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.heddle.journal.LocalStorage;
import org.heddle.journal.LogPoint;
import org.heddle.journal.LogStorage;

/** The place of a log as a setting names it: a directory of this machine, or the URI of one in HDFS. */
public final class LogPlace {
    private LogPlace() {}

    /** Whether a setting names a file system other than this machine's. */
    public static boolean isRemote(String place) {
        return place.matches("[A-Za-z][A-Za-z0-9+.-]*:/.*") && !place.startsWith("file:");
    }

    /**
     * Makes the storage; nothing is read or written yet.
     *
     * @throws IllegalArgumentException one sentence, if the place is no valid path or URI
     */
    public static LogStorage storage(String place, Configuration conf, LogPoint.Watcher watcher) {
        try {
            if (isRemote(place)) {
                URI directory = new URI(place);
                if (directory.getPath().replace("/", "").isEmpty()) {
                    throw new IllegalArgumentException("it has no path");
                }
                return new HdfsStorage(directory, conf, watcher);
            }
            return new LocalStorage(
                    place.startsWith("file:") ? Path.of(new URI(place)) : Path.of(place), true, watcher);
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    place + " is not a directory: want a path, or hdfs://NAMENODE/PATH (" + e.getMessage() + ")", e);
        }
    }
}
