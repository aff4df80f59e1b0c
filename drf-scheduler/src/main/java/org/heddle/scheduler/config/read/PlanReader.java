// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.read;

import java.util.Set;
import org.heddle.scheduler.config.schema.ElementSchema;
import org.heddle.scheduler.config.schema.PlanSchema;
import org.heddle.scheduler.config.xml.ConfigNode;
import org.heddle.scheduler.config.xml.Problems;
import org.heddle.scheduler.model.AccessList;
import org.heddle.scheduler.model.Plan;

/** Reads {@code <plan>} and everything inside it. */
final class PlanReader {
    private PlanReader() {}

    static Plan read(ConfigNode plan, Problems problems) {
        return new Plan(
                problems.value(plan, PlanSchema.AGENT),
                problems.value(plan, PlanSchema.PLANNER),
                problems.value(plan, PlanSchema.ADMISSION),
                problems.value(plan, PlanSchema.WINDOW),
                problems.value(plan, PlanSchema.AVERAGE),
                problems.value(plan, PlanSchema.PEAK),
                problems.value(plan, PlanSchema.ENFORCEMENT),
                problems.value(plan, PlanSchema.ON_EXPIRY),
                new Plan.Access(
                        people(plan, PlanSchema.SUBMIT),
                        people(plan, PlanSchema.LIST),
                        people(plan, PlanSchema.ADMINISTER)));
    }

    private static AccessList people(ConfigNode plan, ElementSchema rule) {
        return plan.child(rule)
                .map(element -> {
                    Set<String> users = QueueReader.names(element, "users");
                    Set<String> groups = QueueReader.names(element, "groups");
                    if (users.contains("*") || groups.contains("*")) {
                        return AccessList.EVERYONE;
                    }
                    return new AccessList(false, users, groups);
                })
                .orElse(AccessList.EVERYONE);
    }
}
