// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the scheduler looked like at one instant: immutable, consistent, safe to read from any thread. Pages and REST
 * are drawn from it and from nothing else.
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
 * @param preemptions what is under way, in the order in which it was begun, after the last few that have ended
 * @param counters things counted since start, by name (for example {@code containers-allocated},
 *     {@code errors-contained})
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
        Map<String, Long> counters) {

    /**
     * Room being made for somebody at the expense of others.
     *
     * @param beneficiary path of the schedulable below its guarantee or share
     * @param reason which of these it is
     * @param application whose container will run there
     * @param queue of this application
     * @param user of this application
     * @param node where
     * @param need of one container, per resource name
     * @param count how many containers
     * @param victims containers that were to go for it
     * @param terms what their masters were told: {@code strict}, {@code negotiable}, or {@code dry run} for nothing
     * @param dueMillis when they are killed, milliseconds since 1970; 0 if they have been
     * @param outcome what came of it, in words; empty while it is under way
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
        /** Those of the victims that have to go and have not gone yet. */
        public List<Victim> stillToGo() {
            return victims.stream()
                    .filter(victim -> victim.fate() == Fate.TO_GO)
                    .toList();
        }
    }

    /** What becomes of a container that has to go. */
    public enum Fate {
        /** It has been announced. */
        TO_GO("is to go"),
        /** Its grace period was over. */
        KILLED("killed"),
        /** It ended before that: given back by its ApplicationMaster, or done. */
        ENDED("ended before it was killed"),
        /** It was not needed any more. */
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
     * A container that has to go.
     *
     * @param container its id
     * @param application whose it is
     * @param queue of this application
     * @param user of this application
     * @param master whether its ApplicationMaster runs in it
     * @param fate what has become of it
     */
    public record Victim(String container, String application, String queue, String user, boolean master, Fate fate) {
        public String inWords() {
            return container
                    + (master ? ", the ApplicationMaster" : "")
                    + " of " + application + " (queue " + queue + ", user " + user + ")";
        }
    }

    /** What a schedulable stands for. */
    public enum Kind {
        QUEUE,
        USER,
        APPLICATION
    }

    /**
     * One schedulable and those below it.
     *
     * @param kind queue, user or application
     * @param name the last part of its path: queue, user or application id
     * @param path names from the root, for example {@code root.science.alice.application_1_0001}
     * @param user whose it is; empty for a queue
     * @param order share order among its children; empty for an application
     * @param weight its weight against its siblings
     * @param dominantResource name of the resource of which it holds the largest part; empty if it holds nothing
     * @param dominantShare the part of the cluster that it holds of its dominant resource, 0 to 1
     * @param fairShare the dominant share it would have if all were divided by hierarchical DRF without fragments, given
     *     what everybody asks for now, 0 to 1
     * @param demandShare the dominant share it would have if it held all that it asks for; may exceed 1
     * @param normalizedShare its share relative to its entitlement as the order sees it: the schedulable with the smallest is served
     *     next; may be infinite (weight 0)
     * @param blocked it asks for something and nothing that it asks for fits anywhere as things stand; unless there is
     *     an obstacle, it waits until others' containers end
     * @param obstacle what keeps all that it asks for from being served however long it waits (a limit, its blacklist,
     *     labels, larger than any node), in a few words; empty if nothing does
     * @param usage what it holds, per resource name
     * @param demand what it holds and asks for, per resource name
     * @param runningContainers containers that it holds
     * @param pendingContainers containers that it asks for
     * @param limit most that it may hold, per resource name; absent where not limited
     * @param children in the order in which they would be served next
     */
    public record SchedulableReport(
            Kind kind,
            String name,
            String path,
            String user,
            String order,
            double weight,
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
            List<SchedulableReport> children) {}

    /**
     * State of the configuration.
     *
     * @param source file or resource in force
     * @param loadedAtMillis when it was loaded
     * @param warnings what in the file in force has no effect, or another than one might think: one sentence each
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
