// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark.examples;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * PageRank. A line of the input is a link: two page names. In each iteration a page gives its rank in equal parts to
 * the pages that it links to, and its new rank is 0.15 + 0.85 x the sum of what it gets. Links stay in memory,
 * partitioned by page, so that only ranks move between executors.
 */
public final class PageRank {
    private static final double DAMPING = 0.85;

    private PageRank() {}

    /** @param args input, partitions, iterations, output */
    public static void main(String[] args) throws IOException {
        if (args.length != 4) {
            throw new IllegalArgumentException("Usage: PageRank INPUT PARTITIONS ITERATIONS OUTPUT");
        }
        try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("PageRank"))) {
            HashPartitioner partitioner = new HashPartitioner(Integer.parseInt(args[1]));
            JavaPairRDD<String, List<String>> links = spark.textFile(args[0], partitioner.numPartitions())
                    .flatMapToPair(line -> {
                        String[] pages = line.split(" ", 2);
                        // The second pair is for pages without links.
                        return List.of(
                                        new Tuple2<>(pages[0], List.of(pages[1])),
                                        new Tuple2<>(pages[1], List.<String>of()))
                                .iterator();
                    })
                    .reduceByKey(partitioner, PageRank::both)
                    .cache();
            JavaPairRDD<String, Double> ranks = links.mapValues(targets -> 1.0);
            for (int i = 1; i <= Integer.parseInt(args[2]); i++) {
                Output.iteration(i);
                ranks = links.join(ranks)
                        .flatMapToPair(page -> contributions(
                                        page._1(), page._2()._1(), page._2()._2())
                                .iterator())
                        .reduceByKey(partitioner, Double::sum)
                        .mapValues(sum -> 1 - DAMPING + DAMPING * sum)
                        .cache();
                ranks.count(); // so that the iteration is over here
            }
            List<String> lines = ranks.collect().stream()
                    .map(page -> page._1() + " " + page._2())
                    .sorted()
                    .collect(Collectors.toList());
            Output.write(spark, args[3], lines);
        }
    }

    private static List<String> both(List<String> some, List<String> others) {
        List<String> all = new ArrayList<>(some);
        all.addAll(others);
        return all;
    }

    private static List<Tuple2<String, Double>> contributions(String page, List<String> targets, double rank) {
        List<Tuple2<String, Double>> contributions = new ArrayList<>();
        contributions.add(new Tuple2<>(page, 0.0)); // a page to which nobody links keeps a rank
        targets.forEach(target -> contributions.add(new Tuple2<>(target, rank / targets.size())));
        return contributions;
    }
}
