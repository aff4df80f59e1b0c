// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.util.List;

/**
 * A cluster that is full, and whose users all want more. User n has queue {@code un} and asks for the n-th of a few sizes,
 * in turn.
 *
 * @param nodes how many
 * @param memoryMb of each node
 * @param vcores of each node
 * @param users each with a queue
 * @param applications of all users together, each user having as many
 * @param churn containers that end on a node between two of its heartbeats
 * @param rounds in a block; in a round every node and every ApplicationMaster is heard once
 * @param seed of what ends when
 */
record Workload(int nodes, int memoryMb, int vcores, int users, int applications, int churn, int rounds, long seed) {
    /** MB and vcores. */
    private static final List<int[]> SIZES =
            List.of(new int[] {2_048, 1}, new int[] {1_024, 1}, new int[] {1_024, 2}, new int[] {4_096, 1});

    static Workload named(String name, long seed) {
        return switch (name) {
            case "small" -> new Workload(100, 32_768, 16, 20, 40, 2, 40, seed);
            case "1k" -> new Workload(1_000, 32_768, 16, 100, 200, 2, 10, seed);
            case "5k" -> new Workload(5_000, 32_768, 16, 100, 1_000, 2, 3, seed);
            case "10k" -> new Workload(10_000, 8_192, 4, 1_000, 2_000, 1, 2, seed);
            default ->
                throw new IllegalArgumentException("size " + name + " is unknown; use one of small, 1k, 5k, 10k");
        };
    }

    static String queue(int user) {
        return "u" + user;
    }

    int memoryOf(int user) {
        return SIZES.get(user % SIZES.size())[0];
    }

    int vcoresOf(int user) {
        return SIZES.get(user % SIZES.size())[1];
    }
}
