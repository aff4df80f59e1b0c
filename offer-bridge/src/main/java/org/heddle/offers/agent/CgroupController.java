// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** What the kernel can limit in a group, and how it is told, in both versions. */
enum CgroupController {
    MEMORY {
        @Override
        boolean limits(long milliCpus, long memMb) {
            return memMb > 0;
        }

        @Override
        void write(Path group, boolean version2, long milliCpus, long memMb) throws IOException {
            String bytes = Long.toString(memMb << 20);
            if (version2) {
                TaskLimits.write(group.resolve(file(true)), bytes);
                writeIfThere(group.resolve("memory.swap.max"), "0");
                writeIfThere(group.resolve("memory.oom.group"), "1");
            } else {
                TaskLimits.write(group.resolve(file(false)), bytes);
            }
        }

        @Override
        String file(boolean version2) {
            return version2 ? "memory.max" : "memory.limit_in_bytes";
        }
    },
    CPU {
        @Override
        boolean limits(long milliCpus, long memMb) {
            return milliCpus > 0;
        }

        @Override
        void write(Path group, boolean version2, long milliCpus, long memMb) throws IOException {
            long quota = Math.max(LEAST_QUOTA_MICROS, milliCpus * PERIOD_MICROS / 1000);
            if (version2) {
                TaskLimits.write(group.resolve(file(true)), quota + " " + PERIOD_MICROS);
                TaskLimits.write(
                        group.resolve("cpu.weight"), Long.toString(Math.max(1, Math.min(MOST_WEIGHT, milliCpus / 10))));
            } else {
                TaskLimits.write(group.resolve("cpu.cfs_period_us"), Long.toString(PERIOD_MICROS));
                TaskLimits.write(group.resolve(file(false)), Long.toString(quota));
                TaskLimits.write(group.resolve("cpu.shares"), Long.toString(Math.max(2, milliCpus * 1024 / 1000)));
            }
        }

        @Override
        String file(boolean version2) {
            return version2 ? "cpu.max" : "cpu.cfs_quota_us";
        }
    };

    private static final long PERIOD_MICROS = 100_000;
    private static final long LEAST_QUOTA_MICROS = 1_000;
    private static final long MOST_WEIGHT = 10_000;

    /** The kernel's name. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether a task with these amounts, 0 for no limit, needs this controller. */
    abstract boolean limits(long milliCpus, long memMb);

    abstract void write(Path group, boolean version2, long milliCpus, long memMb) throws IOException;

    /** The file with the limit. */
    abstract String file(boolean version2);

    private static void writeIfThere(Path file, String value) throws IOException {
        if (Files.exists(file)) {
            TaskLimits.write(file, value);
        }
    }
}
