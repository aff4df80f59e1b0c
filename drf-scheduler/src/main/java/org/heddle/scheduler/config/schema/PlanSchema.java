// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.schema;

import static org.heddle.scheduler.config.schema.ElementSchema.container;
import static org.heddle.scheduler.config.schema.ElementSchema.optional;
import static org.heddle.scheduler.config.schema.ElementSchema.valued;

import java.util.List;
import java.util.regex.Pattern;
import org.heddle.scheduler.config.schema.ElementSchema.Valued;
import org.heddle.scheduler.model.Plan;
import org.heddle.settings.ValueKind;

/** {@code <plan>} inside a queue: the elements inside it. */
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
            "Makes the resources of a leaf queue reservable in advance (yarn.resourcemanager.reservation-system.enable)."
                    + " Each reservation is a queue inside this queue while it lasts. Applications without a reservation go"
                    + " to a queue inside with the name of this queue and -default at its end. The ResourceManager reads"
                    + " the elements inside when it first sees the queue.");
    public static final Valued<String> AGENT = valued(
            "agent",
            CLASS,
            Plan.DEFAULT.agent(),
            simple(Plan.DEFAULT.agent()),
            "YARN's class that finds the time for a reservation.");
    public static final Valued<String> PLANNER = valued(
            "planner",
            CLASS,
            Plan.DEFAULT.planner(),
            simple(Plan.DEFAULT.planner()),
            "YARN's class that removes reservations when the queue has fewer resources than are reserved.");
    public static final Valued<String> ADMISSION = valued(
            "admission",
            CLASS,
            Plan.DEFAULT.admission(),
            simple(Plan.DEFAULT.admission()),
            "YARN's class that decides how much a user may reserve.");
    public static final Valued<Long> WINDOW = valued(
            "window",
            ValueKind.DURATION_MILLIS,
            Plan.DEFAULT.windowMillis(),
            "24h",
            "The time over which average is computed.");
    public static final Valued<Double> AVERAGE = valued(
            "average",
            ValueKind.POSITIVE_FRACTION,
            Plan.DEFAULT.average(),
            "100%",
            "Maximum part of the queue that one user may reserve on average.");
    public static final Valued<Double> PEAK = valued(
            "peak",
            ValueKind.POSITIVE_FRACTION,
            Plan.DEFAULT.peak(),
            "100%",
            "Maximum part of the queue that one user may reserve at any moment.");
    public static final Valued<Long> ENFORCEMENT = valued(
            "enforcement-window",
            ValueKind.DURATION_MILLIS,
            Plan.DEFAULT.enforcementMillis(),
            "1h",
            "How far into the future the planner checks.");
    public static final Valued<Boolean> ON_EXPIRY = valued(
            "on-expiry",
            MOVES,
            Plan.DEFAULT.moves(),
            "move",
            "What happens to applications at the end of their reservation: move (they continue without it) or kill.");
    public static final ElementSchema SUBMIT = people(
            "submit-reservations",
            "Users who may reserve resources and submit applications to this queue (YARN uses one access list for both).");
    public static final ElementSchema LIST = people("list-reservations", "Users who may see the reservations.");
    public static final ElementSchema ADMINISTER =
            people("administer-reservations", "Users who may change and delete the reservations of other users.");

    public static final List<ElementSchema> INSIDE = List.of(
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
}
