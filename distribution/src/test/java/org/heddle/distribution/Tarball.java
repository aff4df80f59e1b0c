// SPDX-License-Identifier: Apache-2.0
package org.heddle.distribution;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.heddle.testkit.Await;

/** The archives that the build made. */
enum Tarball {
    WHOLE("heddle-"),
    SCHEDULER("heddle-scheduler-");

    static final String VERSION = System.getProperty("heddle.version", "");

    private final String start;

    Tarball(String start) {
        this.start = start;
    }

    Path file() {
        return Path.of("target", start + VERSION + ".tar.gz");
    }

    /** The one directory that it unpacks to. */
    String root() {
        return start + VERSION + "/";
    }

    List<TarArchiveEntry> entries() throws IOException {
        List<TarArchiveEntry> entries = new ArrayList<>();
        try (InputStream file = new BufferedInputStream(Files.newInputStream(file()));
                TarArchiveInputStream tar = new TarArchiveInputStream(new GzipCompressorInputStream(file))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                entries.add(entry);
            }
        }
        return entries;
    }

    /** Unpacks it as users do; returns the directory which it made. */
    Path unpack(Path directory) throws IOException, InterruptedException {
        Process tar = new ProcessBuilder("tar", "-xzf", file().toAbsolutePath().toString())
                .directory(directory.toFile())
                .inheritIO()
                .start();
        if (Await.exit("tar", Duration.ofSeconds(60), tar) != 0) {
            throw new IOException("tar could not unpack " + file());
        }
        return directory.resolve(root());
    }
}
