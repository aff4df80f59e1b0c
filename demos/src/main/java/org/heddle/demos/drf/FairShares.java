// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.drf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Hierarchical dominant resource fairness in the fluid limit (H-DRF, Bhattacharya et al., SoCC 2013), by progressive
 * filling: the shares of all unblocked users rise in proportion to their weights until a resource is used up. Users
 * that need that resource are then blocked and no longer count in their parent; the others continue. Shares no code
 * with the scheduler, so that the two can be compared. Assumes that all users ask for more than there is.
 */
final class FairShares {
    private static final double EPSILON = 1e-12;

    private FairShares() {}

    /**
     * A queue or a user.
     *
     * @param name unique in the tree
     * @param weight against its siblings, above 0
     * @param demand of a user: per resource the part of the cluster that one task takes; empty for a queue
     * @param children of a queue
     */
    record Member(String name, double weight, double[] demand, List<Member> children) {
        static Member user(String name, double weight, double... demand) {
            return new Member(name, weight, demand.clone(), List.of());
        }

        static Member queue(String name, double weight, Member... children) {
            return new Member(name, weight, new double[0], List.of(children));
        }
    }

    /** Dominant shares (0 to 1) of all users below {@code root}. */
    static Map<String, Double> of(Member root) {
        List<Member> users = new ArrayList<>();
        collect(root, users);
        int resources = users.get(0).demand.length;
        double[] share = new double[users.size()];
        Set<String> blocked = new HashSet<>();
        while (blocked.size() < users.size()) {
            double[] rate = rates(root, users, blocked);
            // 1. The highest common level at which everything still fits
            double level = level(users, share, rate, resources);
            for (int i = 0; i < share.length; i++) {
                share[i] = Math.max(share[i], level * rate[i]);
            }
            // 2. Users that need a resource which is used up are blocked
            double[] used = used(users, share, resources);
            for (Member user : users) {
                for (int r = 0; r < resources; r++) {
                    if (user.demand[r] > 0 && used[r] > 1 - 1e-9) {
                        blocked.add(user.name);
                    }
                }
            }
        }
        Map<String, Double> result = new HashMap<>();
        for (int i = 0; i < share.length; i++) {
            result.put(users.get(i).name, share[i]);
        }
        return result;
    }

    private static void collect(Member member, List<Member> users) {
        if (member.children.isEmpty()) {
            users.add(member);
        }
        member.children.forEach(child -> collect(child, users));
    }

    /** Growth of each user's dominant share while the root's share grows by 1; 0 for users that cannot grow. */
    private static double[] rates(Member root, List<Member> users, Set<String> blocked) {
        Map<String, Double> rates = new HashMap<>();
        spread(root, 1, blocked, rates);
        return users.stream()
                .mapToDouble(user -> rates.getOrDefault(user.name, 0.0))
                .toArray();
    }

    private static void spread(Member member, double rate, Set<String> blocked, Map<String, Double> rates) {
        if (member.children.isEmpty()) {
            rates.put(member.name, rate);
            return;
        }
        double[] sum = sumOfChildren(member, blocked);
        double dominant = max(sum);
        for (Member child : member.children) {
            if (isActive(child, blocked)) {
                spread(child, rate * child.weight / dominant, blocked, rates);
            }
        }
    }

    /** The resources a member takes per unit of its dominant share, blocked parts left out. */
    private static double[] direction(Member member, Set<String> blocked) {
        double[] vector = member.children.isEmpty() ? member.demand.clone() : sumOfChildren(member, blocked);
        double dominant = max(vector);
        for (int r = 0; r < vector.length; r++) {
            vector[r] /= dominant;
        }
        return vector;
    }

    private static double[] sumOfChildren(Member member, Set<String> blocked) {
        double[] sum = new double[0];
        for (Member child : member.children) {
            if (isActive(child, blocked)) {
                double[] part = direction(child, blocked);
                sum = sum.length == 0 ? new double[part.length] : sum;
                for (int r = 0; r < part.length; r++) {
                    sum[r] += child.weight * part[r];
                }
            }
        }
        return sum;
    }

    private static boolean isActive(Member member, Set<String> blocked) {
        if (member.children.isEmpty()) {
            return !blocked.contains(member.name);
        }
        return member.children.stream().anyMatch(child -> isActive(child, blocked));
    }

    private static double level(List<Member> users, double[] share, double[] rate, int resources) {
        double low = 0;
        double high = 1;
        while (fits(users, share, rate, high, resources)) {
            high *= 2;
        }
        for (int i = 0; i < 200 && high - low > EPSILON * high; i++) {
            double middle = (low + high) / 2;
            if (fits(users, share, rate, middle, resources)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static boolean fits(List<Member> users, double[] share, double[] rate, double level, int resources) {
        double[] raised = new double[share.length];
        for (int i = 0; i < share.length; i++) {
            raised[i] = Math.max(share[i], level * rate[i]);
        }
        return Arrays.stream(used(users, raised, resources)).allMatch(part -> part <= 1 + 1e-11);
    }

    private static double[] used(List<Member> users, double[] share, int resources) {
        double[] used = new double[resources];
        for (int i = 0; i < share.length; i++) {
            double[] demand = users.get(i).demand;
            double dominant = max(demand);
            for (int r = 0; r < resources; r++) {
                used[r] += share[i] * demand[r] / dominant;
            }
        }
        return used;
    }

    private static double max(double[] vector) {
        return Arrays.stream(vector).max().orElse(0);
    }
}
