// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.edit;

import java.math.BigDecimal;
import java.util.Map;
import org.heddle.scheduler.config.schema.ElementSchema;
import org.heddle.scheduler.config.schema.ElementSchema.Valued;
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
        unless(plan.agent().equals(PlanSchema.AGENT.fallback()), PlanSchema.AGENT, plan.agent(), xml);
        unless(plan.planner().equals(PlanSchema.PLANNER.fallback()), PlanSchema.PLANNER, plan.planner(), xml);
        unless(plan.admission().equals(PlanSchema.ADMISSION.fallback()), PlanSchema.ADMISSION, plan.admission(), xml);
        unless(plan.windowMillis() == PlanSchema.WINDOW.fallback(), PlanSchema.WINDOW, plan.windowMillis() + "ms", xml);
        unless(plan.average() == PlanSchema.AVERAGE.fallback(), PlanSchema.AVERAGE, plain(plan.average()), xml);
        unless(plan.peak() == PlanSchema.PEAK.fallback(), PlanSchema.PEAK, plain(plan.peak()), xml);
        unless(
                plan.enforcementMillis() == PlanSchema.ENFORCEMENT.fallback(),
                PlanSchema.ENFORCEMENT,
                plan.enforcementMillis() + "ms",
                xml);
        unless(plan.moves() == PlanSchema.ON_EXPIRY.fallback(), PlanSchema.ON_EXPIRY, "kill", xml);
        people(PlanSchema.SUBMIT, plan.access().submit(), xml);
        people(PlanSchema.LIST, plan.access().list(), xml);
        people(PlanSchema.ADMINISTER, plan.access().administer(), xml);
        xml.close(PlanSchema.PLAN.name());
    }

    private static void unless(boolean usual, Valued<?> rule, String value, XmlWriter xml) {
        if (!usual) {
            xml.value(rule.element().name(), Map.of(), value);
        }
    }

    private static void people(ElementSchema rule, AccessList list, XmlWriter xml) {
        if (!list.everyone()) {
            xml.empty(rule.name(), SpecWriter.people(list));
        }
    }

    private static String plain(double value) {
        return new BigDecimal(String.valueOf(value)).stripTrailingZeros().toPlainString();
    }
}
