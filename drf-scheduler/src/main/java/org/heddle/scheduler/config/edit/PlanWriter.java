// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.edit;

import java.util.Map;
import org.heddle.scheduler.config.schema.ElementSchema;
import org.heddle.scheduler.config.schema.PlanSchema;
import org.heddle.scheduler.config.xml.XmlWriter;
import org.heddle.scheduler.model.AccessList;
import org.heddle.scheduler.model.Plan;

/** Writes {@code <plan>} with everything that is not the default. */
final class PlanWriter {
    private PlanWriter() {}

    static void write(Plan plan, XmlWriter xml) {
        if (plan.equals(Plan.DEFAULT)) {
            xml.empty(PlanSchema.PLAN.name(), Map.of());
            return;
        }
        xml.open(PlanSchema.PLAN.name(), Map.of());
        SpecWriter.unlessUsual(PlanSchema.AGENT, plan.agent(), xml);
        SpecWriter.unlessUsual(PlanSchema.PLANNER, plan.planner(), xml);
        SpecWriter.unlessUsual(PlanSchema.ADMISSION, plan.admission(), xml);
        SpecWriter.unlessUsual(PlanSchema.WINDOW, plan.windowMillis(), xml);
        SpecWriter.unlessUsual(PlanSchema.AVERAGE, plan.average(), xml);
        SpecWriter.unlessUsual(PlanSchema.PEAK, plan.peak(), xml);
        SpecWriter.unlessUsual(PlanSchema.ENFORCEMENT, plan.enforcementMillis(), xml);
        if (!plan.moves()) {
            SpecWriter.value(PlanSchema.ON_EXPIRY, "kill", xml);
        }
        people(PlanSchema.SUBMIT, plan.access().submit(), xml);
        people(PlanSchema.LIST, plan.access().list(), xml);
        people(PlanSchema.ADMINISTER, plan.access().administer(), xml);
        xml.close(PlanSchema.PLAN.name());
    }

    private static void people(ElementSchema rule, AccessList list, XmlWriter xml) {
        if (!list.everyone()) {
            xml.empty(rule.name(), SpecWriter.people(list));
        }
    }
}
