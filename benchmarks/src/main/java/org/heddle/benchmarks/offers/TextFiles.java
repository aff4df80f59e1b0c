// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Files of text in a file system of Hadoop's. */
final class TextFiles {
    private TextFiles() {}

    static BufferedReader reader(FileSystem files, Path file) throws IOException {
        return new BufferedReader(new InputStreamReader(files.open(file), StandardCharsets.UTF_8));
    }

    static List<String> lines(FileSystem files, String file) throws IOException {
        try (BufferedReader in = reader(files, new Path(file))) {
            return in.lines().toList();
        }
    }

    /** Writes over an older file. */
    static BufferedWriter writer(FileSystem files, Path file) throws IOException {
        return new BufferedWriter(new OutputStreamWriter(files.create(file), StandardCharsets.UTF_8));
    }
}
