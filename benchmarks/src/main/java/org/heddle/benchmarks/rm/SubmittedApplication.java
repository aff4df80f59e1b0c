// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptMetrics;
import org.apache.hadoop.yarn.util.Records;
import org.jspecify.annotations.Nullable;

/** An application as far as schedulers look at the ResourceManager's side of one: it is there, and runs. */
final class SubmittedApplication {
    private SubmittedApplication() {}

    static RMApp of(ApplicationAttemptId attempt, String user, String queue, RMContext context) {
        ApplicationSubmissionContext submission = Records.newRecord(ApplicationSubmissionContext.class);
        submission.setApplicationId(attempt.getApplicationId());
        submission.setQueue(queue);
        submission.setUnmanagedAM(true);
        Map<String, Object> ofAttempt = Map.of(
                "getAppAttemptId",
                attempt,
                "getSubmissionContext",
                submission,
                "getRMAppAttemptMetrics",
                new RMAppAttemptMetrics(attempt, context));
        return that(
                RMApp.class,
                Map.of(
                        "getApplicationId",
                        attempt.getApplicationId(),
                        "getUser",
                        user,
                        "getQueue",
                        queue,
                        "getApplicationSubmissionContext",
                        submission,
                        "getCurrentAppAttempt",
                        that(RMAppAttempt.class, ofAttempt)));
    }

    private static <T> T that(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> {
            Object answer = answers.get(method.getName());
            return answer == null ? nothing(method.getReturnType()) : answer;
        }));
    }

    private static @Nullable Object nothing(Class<?> type) {
        if (type == boolean.class) {
            return false;
        }
        if (type == int.class || type == float.class || type == long.class) {
            return type == int.class ? (Object) 0 : type == long.class ? (Object) 0L : (Object) 0f;
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
