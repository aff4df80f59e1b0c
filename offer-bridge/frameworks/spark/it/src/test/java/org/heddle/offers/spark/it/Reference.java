// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark.it;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The results of the applications by loops over arrays, without Spark and without code of the applications. */
final class Reference {
    private Reference() {}

    static double[] logisticRegression(double[][] lines, int iterations) {
        int size = lines[0].length - 1;
        double[] weights = new double[size];
        for (int i = 0; i < iterations; i++) {
            double[] gradient = new double[size];
            for (double[] line : lines) {
                double margin = 0;
                for (int d = 0; d < size; d++) {
                    margin += weights[d] * line[d + 1];
                }
                double factor = line[0] * (1 / (1 + Math.exp(-line[0] * margin)) - 1);
                for (int d = 0; d < size; d++) {
                    gradient[d] += factor * line[d + 1];
                }
            }
            for (int d = 0; d < size; d++) {
                weights[d] -= gradient[d] / lines.length;
            }
        }
        return weights;
    }

    static double[][] kMeans(double[][] points, int k, int iterations) {
        double[][] centers = Arrays.stream(points).limit(k).map(double[]::clone).toArray(double[][]::new);
        int size = points[0].length;
        for (int i = 0; i < iterations; i++) {
            double[][] sums = new double[k][size];
            int[] counts = new int[k];
            for (double[] point : points) {
                int best = 0;
                for (int c = 1; c < k; c++) {
                    best = distance(point, centers[c]) < distance(point, centers[best]) ? c : best;
                }
                counts[best]++;
                for (int d = 0; d < size; d++) {
                    sums[best][d] += point[d];
                }
            }
            for (int c = 0; c < k; c++) {
                for (int d = 0; d < size && counts[c] > 0; d++) {
                    centers[c][d] = sums[c][d] / counts[c];
                }
            }
        }
        return centers;
    }

    private static double distance(double[] a, double[] b) {
        double sum = 0;
        for (int d = 0; d < a.length; d++) {
            sum += Math.pow(a[d] - b[d], 2);
        }
        return sum;
    }

    /** Ranks by page, in the order of their names. */
    static Map<String, Double> pageRank(List<String[]> links, int iterations) {
        Map<String, List<String>> targets = new TreeMap<>();
        for (String[] link : links) {
            targets.computeIfAbsent(link[0], page -> new ArrayList<>()).add(link[1]);
            targets.computeIfAbsent(link[1], page -> new ArrayList<>());
        }
        Map<String, Double> ranks = new TreeMap<>();
        targets.keySet().forEach(page -> ranks.put(page, 1.0));
        for (int i = 0; i < iterations; i++) {
            Map<String, Double> got = new TreeMap<>();
            targets.forEach((page, list) -> {
                double part = ranks.getOrDefault(page, 1.0) / list.size();
                list.forEach(target -> got.merge(target, part, Double::sum));
            });
            ranks.replaceAll((page, rank) -> 0.15 + 0.85 * got.getOrDefault(page, 0.0));
        }
        return ranks;
    }
}
