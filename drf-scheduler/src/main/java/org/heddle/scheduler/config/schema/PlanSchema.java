// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.schema;

import static org.heddle.scheduler.config.schema.ElementSchema.container;
import static org.heddle.scheduler.config.schema.ElementSchema.optional;
import static org.heddle.scheduler.config.schema.ElementSchema.valued;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.heddle.scheduler.config.read.QueueReader;
import org.heddle.scheduler.config.schema.ElementSchema.Valued;
import org.heddle.scheduler.config.xml.ConfigNode;
import org.heddle.scheduler.config.xml.Problems;
import org.heddle.scheduler.config.xml.XmlWriter;
import org.heddle.scheduler.model.AccessList;
import org.heddle.scheduler.model.Plan;
import org.heddle.scheduler.model.ValueKind;

/** {@code <plan>} inside a queue: what may stand in it, how it is read and how it is written. */
final class PlanSchema {
    private static final Pattern CLASS_NAME = Pattern.compile("[\\p{Alpha}_$][\\w$]*(\\.[\\p{Alpha}_$][\\w$]*)*");
    private static final ValueKind<String> CLASS = new ValueKind<>("the full name of a Java class", text -> {
        if (!CLASS_NAME.matcher(text).matches()) {
            throw new IllegalArgumentException();
        }
        return text;
    });
    private static final ValueKind<Boolean> MOVES = new ValueKind<>("move or kill", text -> {
        if (!text.equals("move") && !text.equals("kill")) {
            throw new IllegalArgumentException();
        }
        return text.equals("move");
    });

    static final ElementSchema PLAN = container(
            "plan",
            "nothing can be reserved",
            "Makes the resources of a leaf queue reservable in advance (yarn.resourcemanager.reservation-system.enable)."
                    + " Each reservation is a queue inside this queue while it lasts. Applications without a reservation go"
                    + " to a queue inside with the name of this queue and -default at its end. The ResourceManager reads"
                    + " the elements inside when it first sees the queue.");
    private static final Valued<String> AGENT = valued(
            "agent",
            CLASS,
            Plan.DEFAULT.agent(),
            simple(Plan.DEFAULT.agent()),
            "YARN's class that finds the time for a reservation.");
    private static final Valued<String> PLANNER = valued(
            "planner",
            CLASS,
            Plan.DEFAULT.planner(),
            simple(Plan.DEFAULT.planner()),
            "YARN's class that removes reservations when the queue has fewer resources than are reserved.");
    private static final Valued<String> ADMISSION = valued(
            "admission",
            CLASS,
            Plan.DEFAULT.admission(),
            simple(Plan.DEFAULT.admission()),
            "YARN's class that decides how much a user may reserve.");
    private static final Valued<Long> WINDOW = valued(
            "window",
            ValueKind.DURATION_MILLIS,
            Plan.DEFAULT.windowMillis(),
            "24h",
            "The time over which average is computed.");
    private static final Valued<Double> AVERAGE = valued(
            "average",
            ValueKind.POSITIVE_FRACTION,
            Plan.DEFAULT.average(),
            "100%",
            "Maximum part of the queue that one user may reserve on average.");
    private static final Valued<Double> PEAK = valued(
            "peak",
            ValueKind.POSITIVE_FRACTION,
            Plan.DEFAULT.peak(),
            "100%",
            "Maximum part of the queue that one user may reserve at any moment.");
    private static final Valued<Long> ENFORCEMENT = valued(
            "enforcement-window",
            ValueKind.DURATION_MILLIS,
            Plan.DEFAULT.enforcementMillis(),
            "1h",
            "How far into the future the planner checks.");
    private static final Valued<Boolean> ON_EXPIRY = valued(
            "on-expiry",
            MOVES,
            Plan.DEFAULT.moves(),
            "move",
            "What happens to applications at the end of their reservation: move (they continue without it) or kill.");
    private static final ElementSchema SUBMIT = people(
            "submit-reservations",
            "Users who may reserve resources and submit applications to this queue (YARN uses one access list for both).");
    private static final ElementSchema LIST = people("list-reservations", "Users who may see the reservations.");
    private static final ElementSchema ADMINISTER =
            people("administer-reservations", "Users who may change and delete the reservations of other users.");

    static final List<ElementSchema> INSIDE = List.of(
            AGENT.element(),
            PLANNER.element(),
            ADMISSION.element(),
            WINDOW.element(),
            AVERAGE.element(),
            PEAK.element(),
            ENFORCEMENT.element(),
            ON_EXPIRY.element(),
            SUBMIT,
            LIST,
            ADMINISTER);

    private PlanSchema() {}

    private static ElementSchema people(String name, String doc) {
        return container(
                name,
                "everyone",
                doc + " It counts if yarn.acl.enable and yarn.acl.reservation-enable are on.",
                optional("users", "User names, separated by commas; * for everyone."),
                optional("groups", "Group names, separated by commas."));
    }

    private static String simple(String className) {
        return className.substring(className.lastIndexOf('.') + 1);
    }

    static Plan read(ConfigNode plan, Problems problems) {
        return new Plan(
                problems.value(plan, AGENT),
                problems.value(plan, PLANNER),
                problems.value(plan, ADMISSION),
                problems.value(plan, WINDOW),
                problems.value(plan, AVERAGE),
                problems.value(plan, PEAK),
                problems.value(plan, ENFORCEMENT),
                problems.value(plan, ON_EXPIRY),
                new Plan.Access(people(plan, SUBMIT), people(plan, LIST), people(plan, ADMINISTER)));
    }

    private static AccessList people(ConfigNode plan, ElementSchema rule) {
        return plan.child(rule)
                .map(element -> {
                    Set<String> users = QueueReader.names(element, "users");
                    Set<String> groups = QueueReader.names(element, "groups");
                    return users.contains("*") || groups.contains("*")
                            ? AccessList.EVERYONE
                            : new AccessList(false, users, groups);
                })
                .orElse(AccessList.EVERYONE);
    }

    static void write(Plan plan, XmlWriter xml) {
        if (plan.equals(Plan.DEFAULT)) {
            xml.empty(PLAN.name(), Map.of());
            return;
        }
        xml.open(PLAN.name(), Map.of());
        unless(plan.agent().equals(AGENT.fallback()), AGENT, plan.agent(), xml);
        unless(plan.planner().equals(PLANNER.fallback()), PLANNER, plan.planner(), xml);
        unless(plan.admission().equals(ADMISSION.fallback()), ADMISSION, plan.admission(), xml);
        unless(plan.windowMillis() == WINDOW.fallback(), WINDOW, plan.windowMillis() + "ms", xml);
        unless(plan.average() == AVERAGE.fallback(), AVERAGE, plain(plan.average()), xml);
        unless(plan.peak() == PEAK.fallback(), PEAK, plain(plan.peak()), xml);
        unless(plan.enforcementMillis() == ENFORCEMENT.fallback(), ENFORCEMENT, plan.enforcementMillis() + "ms", xml);
        unless(plan.moves() == ON_EXPIRY.fallback(), ON_EXPIRY, "kill", xml);
        people(SUBMIT, plan.access().submit(), xml);
        people(LIST, plan.access().list(), xml);
        people(ADMINISTER, plan.access().administer(), xml);
        xml.close(PLAN.name());
    }

    private static void unless(boolean usual, Valued<?> rule, String value, XmlWriter xml) {
        if (!usual) {
            xml.value(rule.element().name(), Map.of(), value);
        }
    }

    private static void people(ElementSchema rule, AccessList list, XmlWriter xml) {
        if (!list.everyone()) {
            Map<String, String> attributes = new LinkedHashMap<>();
            attributes.put("users", String.join(",", new TreeSet<>(list.users())));
            attributes.put("groups", String.join(",", new TreeSet<>(list.groups())));
            xml.empty(rule.name(), attributes);
        }
    }

    private static String plain(double value) {
        return new BigDecimal(String.valueOf(value)).stripTrailingZeros().toPlainString();
    }
}
