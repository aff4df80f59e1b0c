// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.result;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Reads {@code /proc}. The time of a child that has ended counts when its parent has waited for it; that of a daemon
 * which left its parent does not count as own time, so it is taken for another program's.
 */
final class LinuxProcessorTime implements ProcessorTime {
    /** The kernel shows times in this unit on every architecture that Hadoop runs on. */
    private static final double TICKS_PER_SECOND = 100;

    private static final int IDLE = 4;
    private static final int WAITING_FOR_DISK = 5;
    /** Guests are counted as user time already. */
    private static final int GUEST = 9;

    /** Fields of {@code /proc/PID/stat}, counted from the one after the program's name. */
    private static final int USER_TIME = 11;

    private static final int CHILDREN_SYSTEM_TIME = 14;

    private final Path proc;

    LinuxProcessorTime(Path proc) {
        this.proc = proc;
    }

    @Override
    public double machineSeconds() {
        String first = firstLine(proc.resolve("stat"));
        String[] fields = first.split(" +", -1);
        if (!fields[0].equals("cpu")) {
            return Double.NaN;
        }
        long ticks = 0;
        for (int i = 1; i < Math.min(fields.length, GUEST); i++) {
            ticks += i == IDLE || i == WAITING_FOR_DISK ? 0 : Long.parseLong(fields[i]);
        }
        return ticks / TICKS_PER_SECOND;
    }

    @Override
    public double ownSeconds() {
        ProcessHandle self = ProcessHandle.current();
        return Stream.concat(Stream.of(self), self.descendants())
                .mapToDouble(process -> seconds(process.pid()))
                .sum();
    }

    /** Of a process and of its children that have ended; 0 if it has ended itself. */
    double seconds(long pid) {
        String line = firstLine(proc.resolve(String.valueOf(pid)).resolve("stat"));
        int name = line.lastIndexOf(") ");
        if (name < 0) {
            return 0;
        }
        String[] fields = line.substring(name + 2).split(" ", -1);
        long ticks = 0;
        for (int i = USER_TIME; i <= CHILDREN_SYSTEM_TIME; i++) {
            ticks += Long.parseLong(fields[i]);
        }
        return ticks / TICKS_PER_SECOND;
    }

    private static String firstLine(Path file) {
        try {
            String text = Files.readString(file, StandardCharsets.UTF_8);
            int end = text.indexOf('\n');
            return end < 0 ? text : text.substring(0, end);
        } catch (IOException e) {
            return ""; // the process has ended, or this is not Linux
        }
    }
}
