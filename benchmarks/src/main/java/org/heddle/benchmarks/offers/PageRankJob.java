// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.KeyValueTextInputFormat;
import org.jspecify.annotations.Nullable;

/**
 * PageRank in MapReduce: a job that collects the links of each page, and then a job for each iteration, which reads
 * what the one before it wrote: a page, a tab, its rank and the pages to which it links, between spaces. Between maps
 * and reduces a value is either a part of a rank, or links behind a space.
 */
final class PageRankJob {
    private static final double DAMPING = 0.85;
    private static final String KEY_END = "mapreduce.input.keyvaluelinerecordreader.key.value.separator";

    /**
     * @param seconds of each iteration; the first one includes the collecting of links
     * @param ranks of all pages at the end
     */
    record Outcome(double[] seconds, Map<String, Double> ranks) {}

    private PageRankJob() {}

    /** @param input a link in each line: two pages with a space between */
    static Outcome run(Configuration conf, String input, int reduces, int iterations) throws Exception {
        double[] seconds = new double[iterations];
        long begin = System.nanoTime();
        Path pages = new Path(input + "-pages-0");
        Configuration links = new Configuration(conf);
        links.set(KEY_END, " ");
        run(links, "links of pages", BothPages.class, null, Pages.class, reduces, new Path(input), pages);
        FileSystem files = pages.getFileSystem(conf);
        for (int i = 0; i < iterations; i++) {
            Path next = new Path(input + "-pages-" + (i + 1));
            run(conf, "PageRank", Parts.class, Add.class, Ranks.class, reduces, pages, next);
            files.delete(pages, true);
            pages = next;
            seconds[i] = (System.nanoTime() - begin) / 1e9;
            begin = System.nanoTime();
        }
        Map<String, Double> ranks = ranks(files, pages);
        files.delete(pages, true);
        return new Outcome(seconds, ranks);
    }

    private static void run(
            Configuration conf,
            String name,
            Class<? extends Mapper<Text, Text, Text, Text>> mapper,
            @Nullable Class<? extends Reducer<Text, Text, Text, Text>> combiner,
            Class<? extends Reducer<Text, Text, Text, Text>> reducer,
            int reduces,
            Path input,
            Path output)
            throws IOException, InterruptedException, ClassNotFoundException {
        Job job = Job.getInstance(conf, name);
        job.setInputFormatClass(KeyValueTextInputFormat.class);
        job.setMapperClass(mapper);
        if (combiner != null) {
            job.setCombinerClass(combiner);
        }
        job.setReducerClass(reducer);
        job.setNumReduceTasks(reduces);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(Text.class);
        FinishedJob.run(job, input, output);
    }

    private static Map<String, Double> ranks(FileSystem files, Path pages) throws IOException {
        Map<String, Double> ranks = new TreeMap<>();
        for (FileStatus file : files.globStatus(new Path(pages, "part-r-*"))) {
            try (BufferedReader lines = TextFiles.reader(files, file.getPath())) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    int tab = line.indexOf('\t');
                    int end = line.indexOf(' ', tab);
                    ranks.put(
                            line.substring(0, tab),
                            Double.valueOf(line.substring(tab + 1, end < 0 ? line.length() : end)));
                }
            }
        }
        return ranks;
    }

    /** From a link: it, and the page to which it leads, which may have no links. */
    public static final class BothPages extends Mapper<Text, Text, Text, Text> {
        private static final Text NONE = new Text();

        @Override
        protected void map(Text page, Text target, Mapper<Text, Text, Text, Text>.Context context)
                throws IOException, InterruptedException {
            context.write(page, target);
            context.write(target, NONE);
        }
    }

    /** A page with all its links and rank 1. */
    public static final class Pages extends Reducer<Text, Text, Text, Text> {
        @Override
        protected void reduce(Text page, Iterable<Text> targets, Reducer<Text, Text, Text, Text>.Context context)
                throws IOException, InterruptedException {
            StringBuilder line = new StringBuilder("1.0");
            for (Text target : targets) {
                if (target.getLength() > 0) {
                    line.append(' ').append(target);
                }
            }
            context.write(page, new Text(line.toString()));
        }
    }

    /** From a page: its links, and a part of its rank for each page to which it links. */
    public static final class Parts extends Mapper<Text, Text, Text, Text> {
        private final Text target = new Text();
        private final Text part = new Text();

        @Override
        protected void map(Text page, Text line, Mapper<Text, Text, Text, Text>.Context context)
                throws IOException, InterruptedException {
            String[] words = line.toString().split(" ", -1);
            String links = line.toString().substring(words[0].length());
            context.write(page, new Text(links.isEmpty() ? " " : links));
            part.set(Double.toString(Double.parseDouble(words[0]) / (words.length - 1)));
            for (int i = 1; i < words.length; i++) {
                target.set(words[i]);
                context.write(target, part);
            }
        }
    }

    /** What a page gets, and its links if they are among the values. */
    private static final class Received {
        private double sum;
        private String links = "";

        Received(Iterable<Text> values) {
            for (Text value : values) {
                if (value.charAt(0) == ' ') {
                    links = value.toString();
                } else {
                    sum += Double.parseDouble(value.toString());
                }
            }
        }
    }

    /** Adds the parts that one map has for a page. */
    public static final class Add extends Reducer<Text, Text, Text, Text> {
        @Override
        protected void reduce(Text page, Iterable<Text> values, Reducer<Text, Text, Text, Text>.Context context)
                throws IOException, InterruptedException {
            Received received = new Received(values);
            if (!received.links.isEmpty()) {
                context.write(page, new Text(received.links));
            }
            if (received.sum > 0) {
                context.write(page, new Text(Double.toString(received.sum)));
            }
        }
    }

    /** A page with its new rank and its links. */
    public static final class Ranks extends Reducer<Text, Text, Text, Text> {
        @Override
        protected void reduce(Text page, Iterable<Text> values, Reducer<Text, Text, Text, Text>.Context context)
                throws IOException, InterruptedException {
            Received received = new Received(values);
            double rank = 1 - DAMPING + DAMPING * received.sum;
            context.write(page, new Text(rank + received.links.stripTrailing()));
        }
    }
}
