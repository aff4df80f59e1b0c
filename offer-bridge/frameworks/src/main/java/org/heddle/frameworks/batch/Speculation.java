// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.batch;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.late.policy.AttemptRegistry;
import org.heddle.late.policy.Decision;
import org.heddle.late.policy.LatePolicy;
import org.heddle.late.policy.Settings;
import org.heddle.late.policy.TaskKind;

/** Which elements of arrays get a second attempt: LATE's library, with one registry for each array. Not thread safe. */
final class Speculation {
    /** Elements report no progress; so this is the shortest gain that is worth an attempt. */
    private static final long REPORT_MILLIS = 1_000;

    private final Map<String, Judge> judges = new HashMap<>();

    private record Judge(AttemptRegistry registry, LatePolicy policy) {
        static Judge of(int elements) {
            AttemptRegistry registry = new AttemptRegistry();
            registry.total(TaskKind.MAP, elements);
            Settings settings = Settings.heddle().with(draft -> {
                draft.reportMillis = REPORT_MILLIS;
                draft.maxAttempts = 2;
            });
            return new Judge(registry, new LatePolicy(registry, settings));
        }
    }

    private static String name(int index) {
        return "element " + index;
    }

    void started(Job job, int index, String task, String agent, long now) {
        judges.computeIfAbsent(job.id(), id -> Judge.of(job.spec().tasks()))
                .registry
                .started(TaskKind.MAP, name(index), task, agent, now);
    }

    void ended(String job, String task, boolean success, long now) {
        Judge judge = judges.get(job);
        if (judge != null) {
            judge.registry.ended(task, now, success);
        }
    }

    void forget(String job) {
        judges.remove(job);
    }

    /** Indexes of the elements that should get a second attempt now; each is returned once. */
    List<Integer> late(Job job, long now) {
        Judge judge = judges.get(job.id());
        if (judge == null) {
            return List.of();
        }
        return judge.policy.scan(TaskKind.MAP, now).stream()
                .filter(decision -> decision.action() == Decision.Action.LAUNCH)
                .map(decision -> {
                    judge.registry.requested(TaskKind.MAP, decision.task(), now);
                    return Integer.parseInt(decision.task().substring(name(0).length() - 1));
                })
                .toList();
    }
}
