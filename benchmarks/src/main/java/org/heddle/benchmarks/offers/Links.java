// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import java.io.BufferedWriter;
import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Links between pages, a line each; few pages are the targets of most. The same in each run. */
final class Links {
    private static final int OF_A_PAGE = 10;

    private Links() {}

    static void write(FileSystem files, String file, int links) throws IOException {
        Random random = new Random(20261127);
        int pages = links / OF_A_PAGE;
        try (BufferedWriter out = TextFiles.writer(files, new Path(file))) {
            for (int i = 0; i < links; i++) {
                int target = (int) (pages * Math.pow(random.nextDouble(), 3));
                out.append("page" + random.nextInt(pages) + " page" + target + "\n");
            }
        }
    }
}
