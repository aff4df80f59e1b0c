// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A configuration that somebody else wrote, such as the {@code _conf.xml} of a job. Hadoop reads it restricted: no
 * entity, XInclude or document type makes it open a file or an address of the reader, and {@code ${...}} takes no value
 * from the reader's environment.
 */
final class SavedConfiguration {
    private SavedConfiguration() {}

    /**
     * Without properties if there is no such file.
     *
     * @throws IOException one sentence if it is no configuration, or names another file
     */
    static Configuration read(FileSystem fs, Path file) throws IOException {
        Configuration saved = new Configuration(false);
        if (!fs.exists(file)) {
            return saved;
        }
        saved.addResource(fs.open(file), file.toString(), true);
        try {
            saved.size(); // Hadoop parses at the first use only.
        } catch (RuntimeException e) {
            Throwable reason = e.getCause() == null ? e : e.getCause();
            throw new IOException(file + ": not a job's configuration: " + oneLine(reason), e);
        }
        return saved;
    }

    /** What an error says, which may quote the file, without control characters. */
    static String oneLine(Throwable e) {
        return String.valueOf(e.getMessage()).replaceAll("[\\s\\p{Cc}]+", " ").strip();
    }
}
