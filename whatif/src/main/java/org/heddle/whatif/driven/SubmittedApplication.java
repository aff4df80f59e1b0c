// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.driven;

import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptMetrics;
import org.apache.hadoop.yarn.util.Records;
import org.jspecify.annotations.Nullable;

/**
 * An application as far as schedulers look at the ResourceManager's side of one: it is there, it runs, and it has the
 * container of its ApplicationMaster or waits for it. Events for it go to a listener.
 */
public final class SubmittedApplication {
    private final ApplicationSubmissionContext submission;
    private final RMApp app;
    private volatile @Nullable Container masterContainer;

    private SubmittedApplication(
            ApplicationAttemptId attempt,
            String user,
            String queue,
            RMContext context,
            List<ResourceRequest> master,
            Consumer<Event<?>> listener) {
        submission = Records.newRecord(ApplicationSubmissionContext.class);
        submission.setApplicationId(attempt.getApplicationId());
        submission.setApplicationName(attempt.getApplicationId().toString()); // placement rules look at it
        submission.setQueue(queue);
        submission.setPriority(Priority.newInstance(0));
        submission.setUnmanagedAM(master.isEmpty());
        RMAppAttemptMetrics metrics = new RMAppAttemptMetrics(attempt, context);
        Map<String, Supplier<@Nullable Object>> ofAttempt = new HashMap<>();
        ofAttempt.put("getAppAttemptId", () -> attempt);
        ofAttempt.put("getSubmissionContext", () -> submission);
        ofAttempt.put("getRMAppAttemptMetrics", () -> metrics);
        ofAttempt.put("getMasterContainer", () -> masterContainer);
        RMAppAttempt current = that(RMAppAttempt.class, ofAttempt, listener);
        Map<String, Supplier<@Nullable Object>> ofApp = new HashMap<>();
        ofApp.put("getApplicationId", attempt::getApplicationId);
        ofApp.put("getUser", () -> user);
        ofApp.put("getQueue", submission::getQueue);
        ofApp.put("getApplicationSubmissionContext", () -> submission);
        ofApp.put("getAMResourceRequests", () -> master);
        ofApp.put("getCurrentAppAttempt", () -> current);
        ofApp.put("getRMAppAttempt", () -> current);
        app = that(RMApp.class, ofApp, listener);
    }

    /** An application whose master runs outside the cluster: it waits for nothing. */
    public static SubmittedApplication unmanaged(
            ApplicationAttemptId attempt, String user, String queue, RMContext context) {
        return new SubmittedApplication(attempt, user, queue, context, List.of(), event -> {});
    }

    /**
     * An application whose master needs a container first.
     *
     * @param master the request for that container
     * @param listener gets the events of the application and of its attempt
     */
    public static SubmittedApplication managed(
            ApplicationAttemptId attempt,
            String user,
            String queue,
            RMContext context,
            ResourceRequest master,
            Consumer<Event<?>> listener) {
        return new SubmittedApplication(attempt, user, queue, context, List.of(master), listener);
    }

    /** For {@link RMContext#getRMApps}. */
    public RMApp app() {
        return app;
    }

    /** What the user asked for; placement rules look at it. */
    public ApplicationSubmissionContext submission() {
        return submission;
    }

    /** From now on the master has this container. */
    public void master(Container container) {
        masterContainer = container;
    }

    private static <T> T that(
            Class<T> type, Map<String, Supplier<@Nullable Object>> answers, Consumer<Event<?>> listener) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> {
            if (method.getName().equals("handle") && given != null && given[0] instanceof Event<?> event) {
                listener.accept(event);
                return null;
            }
            Supplier<@Nullable Object> answer = answers.get(method.getName());
            return answer == null ? nothing(method.getReturnType()) : answer.get();
        }));
    }

    private static @Nullable Object nothing(Class<?> type) {
        if (type == boolean.class) {
            return false;
        }
        if (type == int.class || type == float.class || type == long.class) {
            if (type == int.class) {
                return (Object) 0;
            }
            if (type == long.class) {
                return (Object) 0L;
            }
            return (Object) 0f;
        }
        if (type == Map.class) {
            return Map.of();
        }
        if (type == Set.class) {
            return Set.of();
        }
        return type == List.class ? List.of() : null;
    }
}
