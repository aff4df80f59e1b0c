// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark.examples;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaSparkContext;

/** What the applications write. */
final class Output {
    private Output() {}

    /** Says on standard output that an iteration begins. */
    static void iteration(int number) {
        System.out.println("Iteration " + number + " begins");
    }

    /** Writes numbers, a line each. */
    static void write(JavaSparkContext spark, String file, double[] numbers) throws IOException {
        write(spark, file, DoubleStream.of(numbers).mapToObj(Double::toString).collect(Collectors.toList()));
    }

    /** Writes a small result as one file, over an older one. */
    static void write(JavaSparkContext spark, String file, List<String> lines) throws IOException {
        Path path = new Path(file);
        try (OutputStream out =
                FileSystem.get(path.toUri(), spark.hadoopConfiguration()).create(path, true)) {
            for (String line : lines) {
                out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            }
        }
    }
}
