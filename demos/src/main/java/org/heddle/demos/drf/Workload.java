// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.drf;

import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.heddle.demos.jobs.Grep;
import org.heddle.demos.jobs.RowGen;
import org.heddle.demos.jobs.RowSort;
import org.heddle.demos.jobs.Rows;
import org.heddle.demos.jobs.SourceText;
import org.heddle.demos.jobs.WordCount;

/**
 * The jobs of each user, in the order in which they depend on each other, and a check of the last job's output that
 * does not use MapReduce.
 */
enum Workload {
    WORD_COUNT(1) {
        @Override
        Job job(int stage, Configuration conf, Place place, Size size) throws IOException {
            Job job = WordCount.job(conf, place.text(), place.output(stage));
            splitText(job, size);
            job.setNumReduceTasks(2);
            return job;
        }

        @Override
        Check check(FileSystem fs, Place place, Size size, Truth truth) throws IOException {
            Map<String, Long> expected = truth.of(this, () -> SourceText.countWords(fs, place.text()));
            return counts("words counted", expected, SourceText.readCounts(fs, place.output(0)));
        }
    },
    GREP(1) {
        @Override
        Job job(int stage, Configuration conf, Place place, Size size) throws IOException {
            Job job = Grep.job(conf, place.text(), place.output(stage), PATTERN);
            splitText(job, size);
            return job;
        }

        @Override
        Check check(FileSystem fs, Place place, Size size, Truth truth) throws IOException {
            Map<String, Long> expected = truth.of(this, () -> SourceText.countMatches(fs, place.text(), PATTERN));
            return counts("matches of " + PATTERN, expected, SourceText.readCounts(fs, place.output(0)));
        }
    },
    SORT(2) {
        @Override
        Job job(int stage, Configuration conf, Place place, Size size)
                throws IOException, InterruptedException, ClassNotFoundException {
            if (stage == 0) {
                return RowGen.job(conf, place.output(0), place.seed(), size.rows(), size.maps());
            }
            return RowSort.job(conf, place.output(0), place.output(1), 4);
        }

        @Override
        Check check(FileSystem fs, Place place, Size size, Truth truth) throws IOException {
            RowSort.Reading expected = new RowSort.Reading(size.rows(), Rows.checksum(place.seed(), size.rows()), 0);
            return Check.equal("rows sorted, none lost or changed", expected, RowSort.read(fs, place.output(1)));
        }
    };

    /** Declarations of classes, of which Hadoop's sources have thousands. */
    static final String PATTERN = "(class|interface|enum) [A-Z][A-Za-z0-9]*";

    private final int stages;

    Workload(int stages) {
        this.stages = stages;
    }

    /**
     * Where one run reads and writes.
     *
     * @param text the source text
     * @param directory output directory of this run
     * @param seed of generated rows
     */
    record Place(Path text, Path directory, long seed) {
        Path output(int stage) {
            return new Path(directory, "stage" + stage);
        }
    }

    /**
     * Amount of work of one run.
     *
     * @param maps map tasks of each job
     * @param textBytes size of the source text
     * @param rows rows to generate
     */
    record Size(int maps, long textBytes, long rows) {}

    /** Number of jobs that follow each other. */
    int stages() {
        return stages;
    }

    abstract Job job(int stage, Configuration conf, Place place, Size size)
            throws IOException, InterruptedException, ClassNotFoundException;

    /** Compares the output with what a straight computation in this JVM gives. */
    abstract Check check(FileSystem fs, Place place, Size size, Truth truth) throws IOException;

    /** Remembers what was counted straight: the text is the same for all runs. */
    static final class Truth {
        /** A count without MapReduce. */
        interface Count {
            Map<String, Long> take() throws IOException;
        }

        private final Map<Workload, Map<String, Long>> counts = new EnumMap<>(Workload.class);

        synchronized Map<String, Long> of(Workload workload, Count count) throws IOException {
            Map<String, Long> known = counts.get(workload);
            if (known == null) {
                known = count.take();
                counts.put(workload, known);
            }
            return known;
        }
    }

    private static void splitText(Job job, Size size) {
        FileInputFormat.setMaxInputSplitSize(job, Math.max(1, size.textBytes / size.maps));
    }

    private static Check counts(String what, Map<String, Long> expected, Map<String, Long> found) {
        if (expected.equals(found)) {
            long total = found.values().stream().mapToLong(Long::longValue).sum();
            return new Check(what, true, found.size() + " different, " + total + " in all");
        }
        List<String> differing = expected.keySet().stream()
                .filter(key -> !Objects.equals(expected.get(key), found.get(key)))
                .limit(3)
                .toList();
        return new Check(
                what, false, found.size() + " different instead of " + expected.size() + ", for example " + differing);
    }
}
