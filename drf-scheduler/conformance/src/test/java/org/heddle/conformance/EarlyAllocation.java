// SPDX-License-Identifier: Apache-2.0
package org.heddle.conformance;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.NMToken;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Hadoop's {@code MockRM} waits until an attempt is SCHEDULED, and sends the heartbeat that allocates its container
 * only then. With {@code -Dconformance.allocation=immediate} an attempt may be ALLOCATED before {@code MockRM} looks,
 * and where a suite has a launcher even LAUNCHED, so it would wait in vain. Then such an attempt counts as one that has
 * been scheduled.
 *
 * <p>The suites also ignore the answer to a request, as it never has the containers with heartbeats. Then {@code
 * MockAM} gets them, and the tokens for their nodes, in its next answer. Nothing else of the suites changes.
 */
public final class EarlyAllocation implements LauncherSessionListener {
    private static final Set<RMAppAttemptState> SCHEDULED_OR_LATER = Set.of(
            RMAppAttemptState.SCHEDULED,
            RMAppAttemptState.ALLOCATED_SAVING,
            RMAppAttemptState.ALLOCATED,
            RMAppAttemptState.LAUNCHED);
    private static final Map<Object, Kept> KEPT = new WeakHashMap<>();

    private record Kept(List<Container> containers, List<NMToken> tokens) {
        static final Kept NOTHING = new Kept(List.of(), List.of());

        static Kept of(AllocateResponse answer) {
            return new Kept(List.copyOf(answer.getAllocatedContainers()), List.copyOf(answer.getNMTokens()));
        }

        void into(AllocateResponse answer) {
            answer.setAllocatedContainers(new ArrayList<>(containers));
            answer.setNMTokens(new ArrayList<>(tokens));
        }

        Kept and(Kept other) {
            return new Kept(both(containers, other.containers), both(tokens, other.tokens));
        }

        private static <T> List<T> both(List<T> first, List<T> second) {
            List<T> all = new ArrayList<>(first);
            all.addAll(second);
            return all;
        }
    }

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        if (System.getProperty("conformance.allocation", "").equals("immediate")) {
            new AgentBuilder.Default()
                    .type(named("org.apache.hadoop.yarn.server.resourcemanager.MockRM"))
                    .transform((builder, type, loader, module, domain) -> builder.visit(Advice.to(Wait.class)
                            .on(named("waitForState")
                                    .and(takesArguments(RMAppAttempt.class, RMAppAttemptState.class, int.class)))))
                    .type(named("org.apache.hadoop.yarn.server.resourcemanager.MockAM"))
                    .transform((builder, type, loader, module, domain) -> builder.visit(
                            Advice.to(Answer.class).on(named("allocate").and(takesArguments(AllocateRequest.class)))))
                    .installOn(ByteBuddyAgent.install());
        }
    }

    /** Whether that state is reached in time; called from {@code MockRM}. */
    public static boolean reached(RMAppAttempt attempt, RMAppAttemptState wanted, int timeoutMillis) {
        if (wanted != RMAppAttemptState.SCHEDULED) {
            return false;
        }
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        while (!SCHEDULED_OR_LATER.contains(attempt.getAppAttemptState())) {
            if (System.nanoTime() > end) {
                return false;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        return true;
    }

    /** Keeps the containers and tokens of an answer to a request for the next answer; called from {@code MockAM}. */
    public static void answered(Object master, AllocateRequest request, AllocateResponse answer) {
        synchronized (KEPT) {
            Kept now = KEPT.getOrDefault(master, Kept.NOTHING);
            Kept arrived = Kept.of(answer);
            if (request.getAskList().isEmpty()
                    && request.getSchedulingRequests().isEmpty()) {
                now.and(arrived).into(answer);
                KEPT.remove(master);
            } else {
                now.into(answer);
                KEPT.put(master, arrived);
            }
        }
    }

    /** Stands behind the code of {@code MockAM.allocate}. */
    static final class Answer {
        private Answer() {}

        @Advice.OnMethodExit
        static void exit(
                @Advice.This Object master,
                @Advice.Argument(0) AllocateRequest request,
                @Advice.Return AllocateResponse answer) {
            EarlyAllocation.answered(master, request, answer);
        }
    }

    /** Stands before the code of {@code MockRM.waitForState}, which is skipped if the answer is true. */
    static final class Wait {
        private Wait() {}

        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(
                @Advice.Argument(0) RMAppAttempt attempt,
                @Advice.Argument(1) RMAppAttemptState wanted,
                @Advice.Argument(2) int timeoutMillis) {
            return EarlyAllocation.reached(attempt, wanted, timeoutMillis);
        }
    }
}
