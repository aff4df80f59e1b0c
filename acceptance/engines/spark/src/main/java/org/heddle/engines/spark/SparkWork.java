// SPDX-License-Identifier: Apache-2.0
package org.heddle.engines.spark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/**
 * A Spark job of three kinds: tasks that take their time, a shuffle, an SQL aggregation. What it finds is exact and
 * goes into a file, so that a test can tell whether a task was lost or counted twice.
 *
 * <pre>SparkWork TASKS TASK-MILLISECONDS IDLE-MILLISECONDS OUTPUT-FILE</pre>
 *
 * Between the tasks and the rest it idles, in which time executors may be given back. OUTPUT-FILE + {@code .idle}
 * exists from the beginning of that time on.
 */
public final class SparkWork {
    private SparkWork() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        int tasks = Integer.parseInt(args[0]);
        long taskMillis = Long.parseLong(args[1]);
        long idleMillis = Long.parseLong(args[2]);
        Path output = new Path(args[3]);
        try (SparkSession session = SparkSession.builder().getOrCreate();
                JavaSparkContext spark = JavaSparkContext.fromSparkContext(session.sparkContext())) {
            List<Integer> numbers =
                    IntStream.rangeClosed(1, tasks).boxed().collect(ArrayList::new, ArrayList::add, ArrayList::addAll);
            long sum = spark.parallelize(numbers, tasks)
                    .map(number -> {
                        Thread.sleep(taskMillis); // this is the work
                        return (long) number;
                    })
                    .reduce(Long::sum);
            FileSystem files = output.getFileSystem(spark.hadoopConfiguration());
            write(files, output.suffix(".idle"), "");
            Thread.sleep(idleMillis);
            long groups = spark.parallelize(numbers, 6)
                    .mapToPair(number -> new Tuple2<>(number % 5, number))
                    .groupByKey(4)
                    .count();
            long rows = session.range(0, 1_000, 1, 4)
                    .selectExpr("id % 10 AS digit")
                    .groupBy("digit")
                    .count()
                    .count();
            // Under another name first: a reader that sees the file sees all of it.
            write(files, output.suffix(".part"), "sum=" + sum + " groups=" + groups + " rows=" + rows + "\n");
            if (!files.rename(output.suffix(".part"), output)) {
                throw new IOException("cannot write " + output + ": does it exist?");
            }
        }
    }

    private static void write(FileSystem files, Path path, String text) throws IOException {
        try (FSDataOutputStream out = files.create(path)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }
}
