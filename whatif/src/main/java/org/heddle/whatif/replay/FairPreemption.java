// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.replay;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.jspecify.annotations.Nullable;

/**
 * The steps of FairScheduler's preemption thread, which is never started: it takes each starved application, lets that
 * thread's own code choose the containers, and ends them when the time of their warning is over. These parts of
 * FairScheduler are not public, so they are found by name.
 */
final class FairPreemption {
    private record Kill(long atMillis, List<RMContainer> containers) {}

    private final FairScheduler scheduler;
    private final Object thread;
    private final Object starved;
    private final Collection<?> waiting;
    private final Method choose;
    private final Method take;
    private final Field taken;
    private final long warningMillis;
    private final long pauseMillis;
    private final Deque<Kill> kills = new ArrayDeque<>();

    private FairPreemption(FairScheduler scheduler, Object thread) throws ReflectiveOperationException {
        this.scheduler = scheduler;
        this.thread = thread;
        starved = Objects.requireNonNull(
                method(scheduler.getContext().getClass(), "getStarvedApps").invoke(scheduler.getContext()));
        waiting = (Collection<?>) Objects.requireNonNull(
                field(starved.getClass(), "appsToProcess").get(starved));
        take = method(starved.getClass(), "take");
        taken = field(starved.getClass(), "appBeingProcessed");
        choose = method(thread.getClass(), "identifyContainersToPreempt", taken.getType());
        warningMillis = field(thread.getClass(), "warnTimeBeforeKill").getLong(thread);
        pauseMillis = field(thread.getClass(), "delayBeforeNextStarvationCheck").getLong(thread);
    }

    /**
     * Takes the place of the thread that FairScheduler has made and not started.
     *
     * @throws IllegalStateException one sentence if this FairScheduler preempts in another way
     */
    static FairPreemption insteadOfThread(FairScheduler scheduler) {
        try {
            Field place = field(FairScheduler.class, "preemptionThread");
            FairPreemption preemption = new FairPreemption(scheduler, Objects.requireNonNull(place.get(scheduler)));
            place.set(scheduler, null);
            return preemption;
        } catch (ReflectiveOperationException e) {
            throw otherwise(e);
        }
    }

    private static IllegalStateException otherwise(ReflectiveOperationException e) {
        return new IllegalStateException(
                "the FairScheduler of this Hadoop preempts in a way that cannot be replayed (" + e
                        + "); set yarn.scheduler.fair.preemption to false in the yarn-site.xml, or leave fair out of"
                        + " --with",
                e);
    }

    private static Method method(Class<?> type, String name, Class<?>... parameters) throws NoSuchMethodException {
        Method method = type.getDeclaredMethod(name, parameters);
        method.setAccessible(true);
        return method;
    }

    private static Field field(Class<?> type, String name) throws NoSuchFieldException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    /** Ends the containers whose time has come, and chooses containers for applications that starve. */
    void tick(long nowMillis) {
        for (Kill first = kills.peek(); first != null && first.atMillis() <= nowMillis; first = kills.peek()) {
            kills.remove();
            first.containers().forEach(this::kill);
        }
        try {
            while (!waiting.isEmpty()) {
                Object application = Objects.requireNonNull(take.invoke(starved));
                kills.add(new Kill(nowMillis + warningMillis, chosen(choose.invoke(thread, application))));
                method(application.getClass(), "preemptionTriggered", long.class)
                        .invoke(application, pauseMillis);
            }
            taken.set(starved, null);
        } catch (ReflectiveOperationException e) {
            throw otherwise(e);
        }
    }

    @SuppressWarnings("unchecked") // as the method declares it
    private static List<RMContainer> chosen(@Nullable Object containers) {
        return (List<RMContainer>) Objects.requireNonNull(containers);
    }

    private void kill(RMContainer container) {
        scheduler.completedContainer(
                container,
                SchedulerUtils.createPreemptedContainerStatus(
                        container.getContainerId(), SchedulerUtils.PREEMPTED_CONTAINER),
                RMContainerEventType.KILL);
    }
}
