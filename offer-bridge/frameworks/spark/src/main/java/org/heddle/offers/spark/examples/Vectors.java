// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark.examples;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** Arithmetic of vectors. No method changes its arguments. */
final class Vectors {
    private Vectors() {}

    static double[] parse(String line) {
        return Arrays.stream(line.split(" ", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    static String format(double[] vector) {
        return DoubleStream.of(vector).mapToObj(Double::toString).collect(Collectors.joining(" "));
    }

    static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    static double squaredDistance(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += (a[i] - b[i]) * (a[i] - b[i]);
        }
        return sum;
    }

    static double[] plus(double[] a, double[] b) {
        double[] sum = a.clone();
        for (int i = 0; i < b.length; i++) {
            sum[i] += b[i];
        }
        return sum;
    }

    static double[] times(double[] a, double factor) {
        double[] product = a.clone();
        for (int i = 0; i < a.length; i++) {
            product[i] *= factor;
        }
        return product;
    }
}
