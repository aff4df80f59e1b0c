// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import java.io.BufferedWriter;
import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Labelled points for logistic regression, a line each: 1 or -1, and coordinates that depend on it. The same in each
 * run.
 */
public final class Points {
    private static final int DECIMALS = 10_000;

    private Points() {}

    public static void write(FileSystem files, String file, int points, int dimensions) throws IOException {
        Random random = new Random(20261124);
        try (BufferedWriter out = TextFiles.writer(files, new Path(file))) {
            for (int i = 0; i < points; i++) {
                int label = random.nextBoolean() ? 1 : -1;
                out.append(Integer.toString(label));
                for (int d = 1; d <= dimensions; d++) {
                    double x = random.nextGaussian() + 0.1 * d * label;
                    out.append(' ').append(Double.toString(Math.rint(x * DECIMALS) / DECIMALS));
                }
                out.append('\n');
            }
        }
    }
}
