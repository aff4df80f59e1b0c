// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/** What measurements share: quantiles, what a process used, and where results are left. */
final class Figures {
    private static final double TICKS_PER_SECOND = 100;

    private Figures() {}

    /** That part of all values is no larger; sorts them. */
    static double quantile(double[] values, double part) {
        Arrays.sort(values);
        return values[(int) Math.min(values.length - 1L, Math.round(values.length * part))];
    }

    /** CPU time that a process has used so far, in seconds. */
    static double cpuSeconds(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
    }

    /** Memory of a process that is its own or shared, in MiB: a field of smaps_rollup such as Rss or Pss. */
    static double memoryMb(long pid, String field) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid + "/smaps_rollup")).stream()
                .filter(line -> line.startsWith(field + ":"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024)
                .findFirst()
                .orElseThrow();
    }

    /** Prints a result and leaves it in {@code target/figures}. */
    static void report(String name, String format, Object... values) throws IOException {
        String text = String.format(Locale.ROOT, format, values);
        System.out.println(text);
        Path directory = Files.createDirectories(Path.of("target", "figures"));
        Files.writeString(directory.resolve(name + ".txt"), text + "\n");
    }
}
