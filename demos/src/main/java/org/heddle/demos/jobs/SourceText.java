// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.jobs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;

/** Hadoop's own source text: out of {@code -sources} jars into HDFS, and counted without MapReduce. */
public final class SourceText {
    private SourceText() {}

    /**
     * Writes one text file per jar, all Java sources one after the other.
     *
     * @return bytes written
     */
    public static long load(Path jars, FileSystem fs, org.apache.hadoop.fs.Path target) throws IOException {
        List<Path> found;
        try (Stream<Path> files = Files.list(jars)) {
            found = files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
        if (found.isEmpty()) {
            throw new IOException("no jar in " + jars + ": build the module demos, which puts Hadoop's sources there");
        }
        long bytes = 0;
        for (Path jar : found) {
            String name = jar.getFileName().toString().replace(".jar", ".txt");
            try (ZipFile zip = new ZipFile(jar.toFile());
                    OutputStream out = fs.create(new org.apache.hadoop.fs.Path(target, name))) {
                for (ZipEntry entry : sources(zip)) {
                    byte[] text = zip.getInputStream(entry).readAllBytes();
                    out.write(text);
                    out.write('\n');
                    bytes += text.length + 1;
                }
            }
        }
        return bytes;
    }

    private static List<ZipEntry> sources(ZipFile zip) {
        List<ZipEntry> entries = new ArrayList<>();
        zip.stream().filter(entry -> entry.getName().endsWith(".java")).forEach(entries::add);
        entries.sort((a, b) -> a.getName().compareTo(b.getName()));
        return entries;
    }

    /** Counts words as {@link WordCount} does. */
    public static Map<String, Long> countWords(FileSystem fs, org.apache.hadoop.fs.Path directory) throws IOException {
        Map<String, Long> counts = new HashMap<>();
        forEachLine(fs, directory, line -> {
            StringTokenizer words = new StringTokenizer(line);
            while (words.hasMoreTokens()) {
                counts.merge(words.nextToken(), 1L, Long::sum);
            }
        });
        return counts;
    }

    /** Counts matches as {@link Grep} does. */
    public static Map<String, Long> countMatches(FileSystem fs, org.apache.hadoop.fs.Path directory, String regex)
            throws IOException {
        Pattern pattern = Pattern.compile(regex);
        Map<String, Long> counts = new HashMap<>();
        forEachLine(fs, directory, line -> {
            Matcher matcher = pattern.matcher(line);
            while (matcher.find()) {
                counts.merge(matcher.group(), 1L, Long::sum);
            }
        });
        return counts;
    }

    /** Reads lines of "text, tab, number" from the output of a job. */
    public static Map<String, Long> readCounts(FileSystem fs, org.apache.hadoop.fs.Path output) throws IOException {
        Map<String, Long> counts = new HashMap<>();
        for (FileStatus part : fs.listStatus(output, path -> path.getName().startsWith("part-"))) {
            forEachLineOf(fs, part, line -> {
                int tab = line.lastIndexOf('\t');
                counts.merge(line.substring(0, tab), Long.parseLong(line.substring(tab + 1)), Long::sum);
            });
        }
        return counts;
    }

    private interface LineReader {
        void read(String line);
    }

    private static void forEachLine(FileSystem fs, org.apache.hadoop.fs.Path directory, LineReader reader)
            throws IOException {
        for (FileStatus file : fs.listStatus(directory)) {
            forEachLineOf(fs, file, reader);
        }
    }

    private static void forEachLineOf(FileSystem fs, FileStatus file, LineReader reader) throws IOException {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(fs.open(file.getPath()), StandardCharsets.UTF_8))) {
            lines.lines().forEach(reader::read);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
