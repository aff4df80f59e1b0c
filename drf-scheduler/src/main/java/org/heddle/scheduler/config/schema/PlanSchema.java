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
import org.heddle.scheduler.config.xml.Problems;
import org.heddle.scheduler.config.xml.XmlElement;
import org.heddle.scheduler.config.xml.XmlWriter;
import org.heddle.scheduler.model.AccessList;
import org.heddle.scheduler.model.Plan;
import org.heddle.settings.ValueKind;

/** {@code <plan>} inside a queue: what may stand in it, how it is read and how it is written. */
public final class PlanSchema {
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

    public static final ElementSchema PLAN = container(
            "plan",
            "nothing can be reserved",
            "Makes the queue's resources reservable ahead of time (yarn.resourcemanager.reservation-system.enable): it"
                    + " takes no queues of its own, each reservation is a queue inside it while it lasts, and applications"
                    + " without one go to a queue inside named after it with -default behind. What stands inside is"
                    + " looked at when the ResourceManager first sees the queue.");
    private static final Valued<String> AGENT = valued(
            "agent",
            CLASS,
            Plan.DEFAULT.agent(),
            simple(Plan.DEFAULT.agent()),
            "YARN's class that finds a place in time for a reservation.");
    private static final Valued<String> PLANNER = valued(
            "planner",
            CLASS,
            Plan.DEFAULT.planner(),
            simple(Plan.DEFAULT.planner()),
            "YARN's class that takes reservations back when the queue has less than was promised.");
    private static final Valued<String> ADMISSION = valued(
            "admission",
            CLASS,
            Plan.DEFAULT.admission(),
            simple(Plan.DEFAULT.admission()),
            "YARN's class that says how much a user may reserve.");
    private static final Valued<Long> WINDOW = valued(
            "window",
            ValueKind.DURATION_MILLIS,
            Plan.DEFAULT.windowMillis(),
            "24h",
            "Over which time average is taken.");
    private static final Valued<Double> AVERAGE = valued(
            "average",
            ValueKind.POSITIVE_FRACTION,
            Plan.DEFAULT.average(),
            "100%",
            "Most of the queue that one user may have reserved on average.");
    private static final Valued<Double> PEAK = valued(
            "peak",
            ValueKind.POSITIVE_FRACTION,
            Plan.DEFAULT.peak(),
            "100%",
            "Most of the queue that one user may have reserved at any moment.");
    private static final Valued<Long> ENFORCEMENT = valued(
            "enforcement-window",
            ValueKind.DURATION_MILLIS,
            Plan.DEFAULT.enforcementMillis(),
            "1h",
            "How far ahead the planner looks.");
    private static final Valued<Boolean> ON_EXPIRY = valued(
            "on-expiry",
            MOVES,
            Plan.DEFAULT.moves(),
            "move",
            "What becomes of applications that outlive their reservation: move has them go on without, kill ends them.");
    private static final ElementSchema SUBMIT = people(
            "submit-reservations",
            "Who may reserve, and submit applications to this queue (YARN asks the same question for both).");
    private static final ElementSchema LIST = people("list-reservations", "Who may see what is reserved.");
    private static final ElementSchema ADMINISTER =
            people("administer-reservations", "Who may change and end the reservations of others, too.");

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
                doc + " Counts where yarn.acl.enable and yarn.acl.reservation-enable are on.",
                optional("users", "User names, commas between; * for everyone."),
                optional("groups", "Group names, commas between."));
    }

    private static String simple(String className) {
        return className.substring(className.lastIndexOf('.') + 1);
    }

    public static Plan read(XmlElement plan, Problems problems) {
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

    private static AccessList people(XmlElement plan, ElementSchema rule) {
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

    public static void write(Plan plan, XmlWriter xml) {
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
