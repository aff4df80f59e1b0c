// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.scheduler.Protos.Call;

/**
 * Counters of {@code /metrics}, since this bridge leads. All of them exist from the start, so that monitoring systems
 * see the first event as an increase. Thread-safe.
 */
public final class Counters {
    /** What is counted, apart from calls and status updates, which have one counter for each type. */
    public enum Counter {
        ALLOCATIONS("Answers of YARN with new containers"),
        ALLOCATED_CONTAINERS_REJECTED(
                "Containers that YARN allocated and the bridge returned at once, because they were no longer needed"),
        APPLICATIONS_REFUSED("Applications of frameworks that YARN refused"),
        CONTAINERS_PREEMPTION_REQUESTED("Containers that the scheduler will preempt (strict contract)"),
        CONTAINERS_GROWING("Requests to YARN to make a container larger"),
        CONTAINERS_GROWN("Containers that became larger"),
        CONTAINERS_RELEASED("Containers that the bridge returned to YARN"),
        CONTAINERS_SHRINKING("Containers that the bridge asked YARN to make smaller"),
        CONTAINERS_SHRUNK("Containers that YARN made smaller"),
        EXECUTORS_LAUNCHED("Executors that were launched"),
        FRAMEWORKS_DISCONNECTED("Event streams of frameworks that ended"),
        FRAMEWORKS_FAILED_OVER("Frameworks that subscribed again"),
        FRAMEWORKS_NEVER_PLACED("Frameworks that got no container although a node had room"),
        FRAMEWORKS_SUBSCRIBED("Frameworks that subscribed for the first time"),
        FRAMEWORKS_TORN_DOWN("Frameworks that were removed"),
        IDLE_EXECUTORS_ASKED_FOR(
                "Containers with executors without tasks that frameworks were asked to end, because others waited"),
        INVERSE_OFFERS_ACCEPTED("Inverse offers that frameworks accepted"),
        INVERSE_OFFERS_DECLINED("Inverse offers that frameworks declined"),
        INVERSE_OFFERS_SENT("Inverse offers that were sent"),
        KILLS("Tasks that frameworks killed"),
        LEASES_EXPIRED("Containers that were drained because their lease was over and others waited"),
        MESSAGES_FROM_EXECUTORS("Messages of executors to their schedulers"),
        OFFERS_ACCEPTED("ACCEPT calls for valid offers"),
        OFFERS_DECLINED("Offers that frameworks declined"),
        OFFERS_EXPIRED("Offers that frameworks did not answer in time"),
        OFFERS_RESCINDED("Offers that were withdrawn, those that expired included"),
        OFFERS_SENT("Offers that were sent"),
        RECONCILIATIONS("RECONCILE calls"),
        RESOURCES_PREEMPTION_REQUESTED("Amounts of resources that the scheduler wants back (negotiable contract)"),
        RETURNED_CONTAINERS_GIVEN_BACK(
                "Containers that YARN gave back to the framework that had returned them for others"),
        SCHEDULERS_THAT_DO_NOT_SHARE("Frameworks that waited while YARN gave returned containers back to another one"),
        TASKS_LAUNCHED("Tasks that were accepted for launch"),
        TASKS_REFUSED("Tasks that were refused"),
        UPDATES_ACKNOWLEDGED("Status updates that frameworks acknowledged");

        private final String help;

        Counter(String help) {
            this.help = help;
        }

        /** One line for operators. */
        public String help() {
            return help;
        }

        /** The name of the metric without its prefix. */
        public String metric() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Map<Counter, LongAdder> events = counters(Counter.class, Counter.values());
    private final Map<Call.Type, LongAdder> calls = counters(Call.Type.class, Call.Type.values());
    private final Map<TaskState, LongAdder> updates = counters(TaskState.class, TaskState.values());

    private static <E extends Enum<E>> Map<E, LongAdder> counters(Class<E> type, E[] values) {
        Map<E, LongAdder> counters = new EnumMap<>(type);
        for (E value : values) {
            counters.put(value, new LongAdder());
        }
        return counters;
    }

    private static <E> void increment(Map<E, LongAdder> counters, E key) {
        LongAdder counter = counters.get(key);
        if (counter != null) {
            counter.increment();
        }
    }

    public void count(Counter counter) {
        increment(events, counter);
    }

    /** Counts a call of a scheduler. */
    public void count(Call.Type call) {
        increment(calls, call);
    }

    /** Counts a status update of a task. */
    public void count(TaskState update) {
        increment(updates, update);
    }

    public Map<Counter, Long> events() {
        return values(events);
    }

    public Map<Call.Type, Long> calls() {
        return values(calls);
    }

    public Map<TaskState, Long> updates() {
        return values(updates);
    }

    private static <E extends Enum<E>> Map<E, Long> values(Map<E, LongAdder> counters) {
        Map<E, Long> values = new TreeMap<>();
        counters.forEach((key, counter) -> values.put(key, counter.sum()));
        return values;
    }
}
