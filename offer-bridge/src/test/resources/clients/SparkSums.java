// SPDX-License-Identifier: Apache-2.0
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** A program for Spark 2: one job at once, and another when the directory that is its argument has a file go. */
public final class SparkSums {
    private SparkSums() {}

    public static void main(String[] args) throws Exception {
        Path go = Paths.get(args[0], "go");
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            numbers.add(i);
        }
        try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("sums"))) {
            for (int job = 1; job <= 2; job++) {
                int sum = spark.parallelize(numbers, 8).map(x -> x * 2).reduce((x, y) -> x + y);
                System.out.println("SUM " + job + " = " + sum);
                while (!Files.exists(go)) {
                    Thread.sleep(100);
                }
            }
        }
    }
}
