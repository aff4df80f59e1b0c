// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.api.records.Resource;

/**
 * A full cluster. All users ask for more, each in a queue of its own. User n asks for the n-th of a few
 * sizes, in turn.
 *
 * @param nodes how many
 * @param memoryMb of each node
 * @param vcores of each node
 * @param users each with a queue
 * @param applications of all users together, each user having as many
 * @param churn containers that end on a node between two of its heartbeats
 * @param rounds in a block; in a round every node and every ApplicationMaster is heard once
 * @param types of resources, memory and vcores among them
 * @param traits what is special about it
 * @param seed of what ends when
 */
public record Workload(
        int nodes,
        int memoryMb,
        int vcores,
        int users,
        int applications,
        int churn,
        int rounds,
        int types,
        Set<String> traits,
        long seed) {
    /** MB and vcores. */
    private static final List<int[]> SIZES =
            List.of(new int[] {2_048, 1}, new int[] {1_024, 1}, new int[] {1_024, 2}, new int[] {4_096, 1});

    /** Every task has three nodes on which it would rather run. */
    private static final String LOCAL = "local";
    /** Every user has a size of its own. */
    private static final String SHAPES = "shapes";
    /** One user in ten wants half a node for each container, the others a core. */
    private static final String HALVES = "halves";
    /** Ten users share a queue above theirs, and ten of those another. */
    private static final String DEEP = "deep";
    /** Ten users with 2,000 applications. */
    private static final String CROWD = "crowd";
    /**
     * Two queues; the second one has a user whose containers take the memory and never end, and one who wants cores.
     */
    static final String STARVED = "starved";
    /** One user with one application. */
    private static final String ONE = "one";

    /** With the workload {@link #STARVED}. */
    static final int MEMORY_USER = 2;

    static final int MOST_OF_A_TYPE = 4;

    private static final double TEN = 10;
    private static final Set<String> TRAITS = Set.of(LOCAL, SHAPES, HALVES, DEEP, CROWD, ONE);

    /**
     * @param name a size, and what is special about it: {@code 1k}, {@code 5k-local}, {@code 1k-deep-shapes}
     * @throws IllegalArgumentException if there is no such workload
     */
    static Workload named(String name, long seed) {
        List<String> parts = Arrays.asList(name.split("-", -1));
        Set<String> traits = new HashSet<>(parts.subList(1, parts.size()));
        if (!TRAITS.containsAll(traits)) {
            throw new IllegalArgumentException("size " + name + " is unknown; what follows the - is one of " + TRAITS);
        }
        Workload plain = switch (parts.get(0)) {
            case STARVED -> new Workload(20, 268_288, 1_010, 3, 3, 2, 40, 2, Set.of(STARVED), seed);
            case "small" -> new Workload(100, 32_768, 16, 20, 40, 2, 40, 2, traits, seed);
            case "1k" -> new Workload(1_000, 32_768, 16, 100, 200, 2, 10, 2, traits, seed);
            case "5k" -> new Workload(5_000, 32_768, 16, 100, 1_000, 2, 3, 2, traits, seed);
            case "10k" -> new Workload(10_000, 8_192, 4, 1_000, 2_000, 1, 2, 2, traits, seed);
            case "20k" -> new Workload(20_000, 8_192, 4, 5_000, 20_000, 1, 2, 2, traits, seed);
            case "50k" -> new Workload(50_000, 8_192, 4, 5_000, 20_000, 1, 1, 2, traits, seed);
            default ->
                throw new IllegalArgumentException(
                        "size " + name + " is unknown; use one of small, 1k, 5k, 10k, 20k, 50k, starved");
        };
        if (traits.contains(ONE)) {
            return plain.of(1, 1);
        }
        return traits.contains(CROWD) ? plain.of(10, 2_000) : plain;
    }

    /** Nodes of 16 cores of which each ends and gets two containers in a round, and a queue for each user. */
    public static Workload of(int nodes, int queues, int applications, int types, int rounds, long seed) {
        return new Workload(nodes, 32_768, 16, queues, applications, 2, rounds, types, Set.of(), seed);
    }

    private Workload of(int manyUsers, int manyApplications) {
        return new Workload(nodes, memoryMb, vcores, manyUsers, manyApplications, churn, rounds, types, traits, seed);
    }

    /** Names of the resource types beside memory and vcores. */
    public List<String> moreTypes() {
        return IntStream.range(2, types).mapToObj(type -> "type" + type).toList();
    }

    /** A node. The types beside memory and vcores never fill it. */
    public Resource node() {
        Resource node = Resource.newInstance(memoryMb, vcores);
        moreTypes().forEach(type -> node.setResourceValue(type, (long) MOST_OF_A_TYPE * vcores));
        return node;
    }

    /** What a user asks for. There are as many different sizes with ten resource types as with two. */
    public Resource ask(int user) {
        Resource ask = Resource.newInstance(memoryOf(user), vcoresOf(user));
        moreTypes().forEach(type -> ask.setResourceValue(type, 1 + user % MOST_OF_A_TYPE));
        return ask;
    }

    /** Names from below the root to the queue of a user, or of the newcomer, which is one more user. */
    List<String> path(int user) {
        int place = user == users ? 0 : user;
        if (traits.contains(STARVED)) {
            return List.of(place == 0 ? "n1" : "n2", user(user));
        }
        return traits.contains(DEEP) ? List.of("d" + place / 100, "t" + place / 10, user(user)) : List.of(user(user));
    }

    /** The newcomer's part of the whole: what its siblings have. */
    double newcomersPart() {
        return traits.contains(DEEP) ? TEN / (TEN + 1) / users : 1.0 / (users + 1);
    }

    public static String user(int user) {
        return "u" + user;
    }

    /** How many containers a user wants at most. */
    int most(int user) {
        return takesMemory(user) ? nodes * (memoryMb / memoryOf(user)) : Integer.MAX_VALUE;
    }

    /** Whether containers of a user end before the run does. */
    boolean ends(int user) {
        return !takesMemory(user);
    }

    /** The user of the second queue whose containers fill the memory and leave the cores to others. */
    private boolean takesMemory(int user) {
        return traits.contains(STARVED) && user == MEMORY_USER;
    }

    private static boolean wantsHalf(int user) {
        return user % (int) TEN == 0;
    }

    boolean local() {
        return traits.contains(LOCAL);
    }

    int memoryOf(int user) {
        if (traits.contains(STARVED)) {
            return takesMemory(user) ? 28_672 : 1_024; // multiples of what FairScheduler rounds up to
        }
        if (traits.contains(HALVES)) {
            return wantsHalf(user) ? memoryMb / 2 : 2_048;
        }
        return traits.contains(SHAPES) ? 512 + 64 * (user * 37 % 60) : SIZES.get(user % SIZES.size())[0];
    }

    int vcoresOf(int user) {
        if (traits.contains(STARVED)) {
            return takesMemory(user) ? 1 : 100;
        }
        if (traits.contains(HALVES)) {
            return wantsHalf(user) ? vcores / 2 : 1;
        }
        return traits.contains(SHAPES) ? 1 + user % 3 : SIZES.get(user % SIZES.size())[1];
    }
}
