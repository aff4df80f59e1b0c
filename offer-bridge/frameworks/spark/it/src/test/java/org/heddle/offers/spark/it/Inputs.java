// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark.it;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Data for the applications, the same in each run. */
final class Inputs {
    private static final int DIMENSIONS = 5;

    private Inputs() {}

    /** Lines of a label, 1 or -1, and coordinates that depend on it. */
    static double[][] labelled(int count) {
        Random random = new Random(20261124);
        double[][] lines = new double[count][DIMENSIONS + 1];
        for (double[] line : lines) {
            line[0] = random.nextBoolean() ? 1 : -1;
            for (int d = 1; d <= DIMENSIONS; d++) {
                line[d] = random.nextGaussian() + 0.3 * d * line[0];
            }
        }
        return lines;
    }

    /** Pages of which some have no links, and some no links to them. */
    static List<String[]> links(int pages, int count) {
        Random random = new Random(20261125);
        List<String[]> links = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            links.add(new String[] {"page" + random.nextInt(pages), "page" + random.nextInt(pages / 2, pages * 2)});
        }
        return links;
    }

    static String text(double[][] lines) {
        StringBuilder text = new StringBuilder();
        for (double[] line : lines) {
            for (int i = 0; i < line.length; i++) {
                text.append(i == 0 ? "" : " ").append(line[i]);
            }
            text.append('\n');
        }
        return text.toString();
    }

    static String text(List<String[]> links) {
        StringBuilder text = new StringBuilder();
        links.forEach(link -> text.append(String.join(" ", link)).append('\n'));
        return text.toString();
    }
}
