// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.snapshot;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of the scheduler at one moment: immutable, consistent, safe to read from any thread. Pages and REST show it
 * and nothing else.
 *
 * @param takenAtMillis wall clock time, milliseconds since 1970
 * @param nodes nodes that take containers
 * @param reservedNodes nodes held for one large ask
 * @param capacity cluster total per resource name
 * @param usage allocated per resource name
 * @param jainIndex Jain's fairness index over the weighted dominant shares of users with pending asks; 1 if fewer
 *     than two
 * @param root the schedulable tree
 * @param configuration where the configuration came from and what is wrong with it
 * @param preemptions preemptions: first the last few that have ended, then those under way, in the order of their start
 * @param counters counts since the start, by name (for example {@code containers-allocated},
 *     {@code errors-contained})
 * @param allocationDelays how long requests waited for their containers
 * @param pending what is asked for on the nodes of each label; the empty one is that of nodes without a label
 */
public record SchedulerSnapshot(
        long takenAtMillis,
        int nodes,
        int reservedNodes,
        Map<String, Long> capacity,
        Map<String, Long> usage,
        double jainIndex,
        SchedulableReport root,
        Configuration configuration,
        List<PreemptionReport> preemptions,
        Map<String, Long> counters,
        AllocationDelayReport allocationDelays,
        Map<String, PendingAsks> pending) {

    /**
     * A preemption.
     *
     * @param beneficiary path of the queue, user or application below its guarantee or share
     * @param reason which of these it is
     * @param application that gets the containers
     * @param queue of this application
     * @param user of this application
     * @param node on which they will run
     * @param need of one container, per resource name
     * @param count number of containers
     * @param victims containers that were to be preempted for it
     * @param terms what the notice to their ApplicationMasters said: {@code strict}, {@code negotiable}, or {@code dry
     *     run} for nothing
     * @param dueMillis when they are killed, milliseconds since 1970; 0 if that has happened
     * @param outcome the result, in words; empty while it is under way
     */
    public record PreemptionReport(
            String beneficiary,
            String reason,
            String application,
            String queue,
            String user,
            String node,
            Map<String, Long> need,
            int count,
            List<Victim> victims,
            String terms,
            long dueMillis,
            String outcome) {
        /** The victims that still run and will be killed. */
        public List<Victim> stillToGo() {
            return victims.stream()
                    .filter(victim -> victim.fate() == Fate.TO_GO)
                    .toList();
        }
    }

    /** The state of a victim. */
    public enum Fate {
        /** The ApplicationMaster has been notified. */
        TO_GO("is to go"),
        /** It was killed at the end of the grace period. */
        KILLED("killed"),
        /** It ended before that: released by its ApplicationMaster, or complete. */
        ENDED("ended before it was killed"),
        /** It keeps running, because its resources are no longer needed. */
        STAYS("stays");

        private final String words;

        Fate(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /**
     * A victim.
     *
     * @param container its id
     * @param application its application
     * @param queue of this application
     * @param user of this application
     * @param master whether its ApplicationMaster runs in it
     * @param fate its state
     */
    public record Victim(String container, String application, String queue, String user, boolean master, Fate fate) {
        public String inWords() {
            return container
                    + (master ? ", the ApplicationMaster" : "")
                    + " of " + application + " (queue " + queue + ", user " + user + ")";
        }
    }

    /** Kind of a schedulable. */
    public enum Kind {
        QUEUE,
        USER,
        APPLICATION
    }

    /**
     * A queue, user or application, and all below it.
     *
     * @param kind queue, user or application
     * @param name the last part of its path: queue, user or application id
     * @param path names from the root, for example {@code root.science.alice.application_1_0001}
     * @param user its user; empty for a queue
     * @param title of an application, the name that its user gave it; empty for others
     * @param tags of an application
     * @param order share order among its children; empty for an application
     * @param weight its weight against its siblings, as in force
     * @param configuredWeight of a queue, the weight in the file: past usage, a market or a federation may put another
     *     in force; of others the same as {@code weight}
     * @param dominantResource name of the resource of which it has the largest part; empty if it has nothing
     * @param dominantShare the part of the cluster that it has of its dominant resource, 0 to 1
     * @param fairShare the dominant share that it would have if hierarchical DRF divided the cluster anew among the
     *     asks of this moment, without fragmentation; 0 to 1
     * @param demandShare the dominant share that it would have with all that it asks for; may exceed 1
     * @param normalizedShare its share relative to its entitlement, for the share order: the smallest is served next;
     *     may be infinite (weight 0)
     * @param blocked it asks for containers, and none of them fits on any node now; unless there is an obstacle, it
     *     waits until other containers end
     * @param obstacle why waiting does not help (a limit, its blacklist, labels, larger than any node), in a few words;
     *     empty if there is no such reason
     * @param usage what it has, per resource name
     * @param demand what it has and asks for, per resource name
     * @param runningContainers containers that it has
     * @param pendingContainers containers that it asks for
     * @param limit its maximum, per resource name; absent where not limited
     * @param guarantee of a queue, per resource name; empty if it has none
     * @param steadyShare the part of the cluster of a queue by weights, if all queues were busy, 0 to 1; NaN for users
     *     and applications
     * @param labels what a queue has of the nodes with single labels, by label; empty for users and applications, and
     *     where there are no labels
     * @param children in the order in which they would be served next
     */
    public record SchedulableReport(
            Kind kind,
            String name,
            String path,
            String user,
            String title,
            Set<String> tags,
            String order,
            double weight,
            double configuredWeight,
            String dominantResource,
            double dominantShare,
            double fairShare,
            double demandShare,
            double normalizedShare,
            boolean blocked,
            String obstacle,
            Map<String, Long> usage,
            Map<String, Long> demand,
            int runningContainers,
            int pendingContainers,
            Map<String, Long> limit,
            Map<String, Long> guarantee,
            double steadyShare,
            Map<String, LabelUsage> labels,
            List<SchedulableReport> children) {
        /** Whether its path, user, title or one of its tags contains a text, which is in lower case. */
        public boolean isNamed(String text) {
            return Stream.concat(Stream.of(path, user, title), tags.stream())
                    .anyMatch(name -> name.toLowerCase(Locale.ROOT).contains(text));
        }

        /** The queues directly inside it. */
        public List<SchedulableReport> queues() {
            return children.stream().filter(child -> child.kind == Kind.QUEUE).toList();
        }

        /**
         * The number of its applications.
         *
         * @param running only of those that have containers
         */
        public int applications(boolean running) {
            if (kind == Kind.APPLICATION) {
                return !running || runningContainers > 0 ? 1 : 0;
            }
            if (!running && !children.isEmpty() && children.get(0).kind == Kind.APPLICATION) {
                return children.size();
            }
            return children.stream()
                    .mapToInt(child -> child.applications(running))
                    .sum();
        }

        /** The most that it may have of what the cluster has, per resource name. */
        public Map<String, Long> maximum(Map<String, Long> cluster) {
            Map<String, Long> most = new TreeMap<>(cluster);
            limit.forEach((resource, own) -> most.merge(resource, own, Math::min));
            return most;
        }
    }

    /**
     * State of the configuration.
     *
     * @param source the file or resource in force
     * @param loadedAtMillis when it was loaded
     * @param warnings settings of the file that have no effect, or an unexpected one: one sentence each
     * @param problem one sentence if a newer version of the file was refused and the older one is still in force
     */
    public record Configuration(
            String source,
            long loadedAtMillis,
            List<String> warnings,
            @Nullable String problem) {
        public Configuration {
            warnings = List.copyOf(warnings);
        }
    }
}
