// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.xerial.snappy.SnappyInputStream;

/** The text of an event log of Spark: a file, or the directory of a rolling log; compressed or not. */
final class EventLogFiles {
    private static final String ROLLING = "eventlog_v2_";
    private static final Pattern PART = Pattern.compile("events_(\\d{1,9})_.*");
    private static final String COMPACT = ".compact";
    private static final int BEGINNING = 65_536;

    private EventLogFiles() {}

    /** A part of a rolling log; a compact one stands for all up to its number. */
    private record Part(int number, boolean compact, Path file) {}

    static boolean isRolling(Path directory) {
        return directory.getName().startsWith(ROLLING);
    }

    /** The first text of a file, decompressed. */
    static String beginning(FileSystem fs, Path file) throws IOException {
        try (InputStream in = open(fs, file)) {
            return new String(in.readNBytes(BEGINNING), StandardCharsets.UTF_8);
        }
    }

    static BufferedReader lines(FileSystem fs, Path log, boolean rolling) throws IOException {
        List<InputStream> streams = new ArrayList<>();
        for (Path file : rolling ? parts(fs, log) : List.of(log)) {
            streams.add(open(fs, file));
        }
        return new BufferedReader(new InputStreamReader(
                new SequenceInputStream(Collections.enumeration(streams)), StandardCharsets.UTF_8));
    }

    private static List<Path> parts(FileSystem fs, Path directory) throws IOException {
        List<Part> parts = new ArrayList<>();
        int from = 0;
        for (FileStatus status : fs.listStatus(directory)) {
            Matcher name = PART.matcher(status.getPath().getName());
            if (name.matches()) {
                int number = Integer.parseInt(name.group(1));
                boolean compact = name.group().endsWith(COMPACT);
                parts.add(new Part(number, compact, status.getPath()));
                from = compact ? Math.max(from, number) : from;
            }
        }
        int first = from;
        List<Path> files = parts.stream()
                .filter(part -> part.number() > first || (part.number() == first && part.compact()))
                .sorted(Comparator.comparingInt(Part::number))
                .map(Part::file)
                .toList();
        if (files.isEmpty()) {
            throw new IOException("it has no file events_1_... of a rolling event log");
        }
        return files;
    }

    private static InputStream open(FileSystem fs, Path file) throws IOException {
        String name = file.getName().replace(".inprogress", "").replace(COMPACT, "");
        String codec = name.substring(name.lastIndexOf('.') + 1);
        if (codec.equals("zstd") || codec.equals("zst")) {
            throw new IOException("it is compressed with zstd, which is not read; decompress it with zstd -d");
        }
        if (codec.equals("lzf")) {
            throw new IOException("it is compressed with LZF, which is not read; let Spark write logs with"
                    + " spark.eventLog.compression.codec=lz4");
        }
        InputStream in = fs.open(file);
        try {
            return switch (codec) {
                case "lz4" -> new Lz4Blocks(in);
                case "snappy" -> new SnappyInputStream(in);
                case "gz" -> new GZIPInputStream(in);
                default -> in;
            };
        } catch (IOException e) {
            in.close();
            throw new IOException("it is no file of " + codec + ", as its name says, or is cut", e);
        }
    }
}
