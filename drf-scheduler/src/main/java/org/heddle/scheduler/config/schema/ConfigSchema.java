// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.schema;

import static org.heddle.scheduler.config.schema.ElementSchema.amount;
import static org.heddle.scheduler.config.schema.ElementSchema.container;
import static org.heddle.scheduler.config.schema.ElementSchema.optional;
import static org.heddle.scheduler.config.schema.ElementSchema.repeated;
import static org.heddle.scheduler.config.schema.ElementSchema.required;
import static org.heddle.scheduler.config.schema.ElementSchema.valued;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.heddle.scheduler.config.schema.ElementSchema.Valued;
import org.heddle.scheduler.model.LocalityDelay;
import org.heddle.scheduler.model.QueueSetting;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.SchedulingDelays;
import org.heddle.settings.ValueKind;

/**
 * The format of {@code heddle-scheduler.xml}, version 1: every element, once. Those of a queue come from {@link
 * QueueSettings}.
 */
public final class ConfigSchema {
    public static final String VERSION = "1";
    public static final String ROOT_QUEUE = "root";

    private static final ElementSchema.Attribute USERS =
            optional("users", "User names, separated by commas; * for everyone.");
    private static final ElementSchema.Attribute GROUPS = optional("groups", "Group names, separated by commas.");

    public static final ElementSchema FILE = container(
            "heddle-scheduler",
            "",
            "The whole file.",
            required("version", "Version of this format: " + VERSION + "."),
            optional(
                    "compatibility",
                    "heddle (the default), capacity-scheduler or fair-scheduler. capacity-scheduler: `/ws/v1/cluster/scheduler`"
                            + " answers in the form of CapacityScheduler; a user may pass <max-resources-per-user> with the last container,"
                            + " as there; a queue must be stopped before it may leave the file; and <max-am-share> is a part of what the"
                            + " queue may hold beside what others hold. `heddle"
                            + " convert` writes it for a file of CapacityScheduler, and fair-scheduler for one of FairScheduler; then five things are"
                            + " as in FairScheduler: access lists count even if yarn.acl.enable is off, and for YARN's"
                            + " administrators too; the limit on ApplicationMasters is a part of FairScheduler's fair share,"
                            + " and the first ApplicationMaster of a queue counts like the others; a queue that is removed"
                            + " from the file exists until it is empty; a limit may be larger than the limit of the queue"
                            + " above."));

    public static final ElementSchema RESOURCE_WEIGHTS = container(
            "resource-weights",
            "every resource has weight 1",
            "The weight of each resource type in the dominant share, for all queues.");
    public static final ElementSchema RESOURCE_WEIGHT = repeated(
            "resource",
            ValueKind.POSITIVE_WEIGHT.what(),
            "Weight of one resource type; the default is 1.",
            ElementSchema.RESOURCE_NAME);

    public static final Valued<Integer> MAX_ASSIGN = valued(
            "max-assign",
            ValueKind.count(1),
            Integer.MAX_VALUE,
            "no limit",
            "Maximum number of containers that one node heartbeat allocates on the node; with immediate allocation,"
                    + " between two heartbeats.");

    public static final Valued<Boolean> MEMORY_ONLY = valued(
            "memory-only",
            ValueKind.TRUE_OR_FALSE,
            false,
            "false",
            "Whether containers take up memory alone, as under YARN's DefaultResourceCalculator: a node takes as many as"
                    + " its memory holds, whatever its vcores. The order `fair` shares by memory. A change needs a restart"
                    + " of the ResourceManager.");
    public static final Valued<Boolean> DYNAMIC_MAX_ASSIGN = valued(
            "dynamic-max-assign",
            ValueKind.TRUE_OR_FALSE,
            false,
            "false",
            "Whether one node heartbeat allocates at most half of the free resources of the node, plus one container;"
                    + " with immediate allocation, between two heartbeats.");
    public static final Valued<Boolean> SIZE_BASED_WEIGHT = valued(
            "size-based-weight",
            ValueKind.TRUE_OR_FALSE,
            false,
            "false",
            "Whether the weight of an application is log2(1 + the memory that it has and requests) instead of 1.");
    public static final Valued<Long> USAGE_HALF_LIFE = valued(
            "usage-half-life",
            new ValueKind<>(
                    "off, or a duration of 1min or more, such as 12h or 7d",
                    text -> text.equals("off") ? 0L : atLeast(60_000, text)),
            0L,
            "off",
            "Past usage counts: a queue or user that has used more than its share lately gets a smaller weight, and"
                    + " one that has used less a larger one. The usage of this long ago counts half as much as that of"
                    + " now.");
    public static final ElementSchema INCREMENT_ALLOCATION = container(
            "increment-allocation",
            "`yarn.scheduler.minimum-allocation-*`",
            "Container sizes are rounded up to multiples of these amounts.");
    public static final ElementSchema INCREMENT = repeated(
            "resource",
            "a whole number in the resource's own unit (memory-mb: MiB), or a size such as 1 GiB",
            "The increment of one resource type.",
            ElementSchema.RESOURCE_NAME);
    public static final ElementSchema USER_LIMITS = container(
            "user-limits", "no limit", "Maximum number of running applications of a user, in all queues together.");
    public static final Valued<Integer> DEFAULT_USER_LIMIT = valued(
            "default",
            ValueKind.count(0),
            Integer.MAX_VALUE,
            "no limit",
            "The limit of each user without an own limit.");
    public static final ElementSchema ONE_USER = repeated(
            "user", ValueKind.count(0).what(), "The limit of one user.", required("name", "The user's short name."));
    public static final ElementSchema NEW_QUEUES = container(
            "new-queues",
            "only configured queues exist",
            "Settings of the queues that a placement step with missing=\"create\" creates. Such a queue is removed"
                    + " when it is empty.");
    public static final ElementSchema MINIMUM_OFFER = container(
            "minimum-offer",
            "none",
            "Minimum free resources of a node that is in use: with less, nothing is allocated on it, and only at its"
                    + " heartbeat. So small containers do not take all the free resources before a large container fits.",
            optional(
                    "mode",
                    "off, automatic (the largest size that is requested now) or set (the resources inside). The"
                            + " default is set if there are resources inside, else off."),
            optional(
                    "largest-part",
                    "For automatic: requests for more than this part of a node do not count, so at most this part stays"
                            + " free; the default is 25%."));
    public static final ElementSchema MINIMUM_OFFER_RESOURCE =
            amount("node such as 5%", "Minimum free amount of one resource type");
    public static final ElementSchema SCHEDULING_DELAYS = container(
            "scheduling-delays",
            "the defaults below",
            "How long the scheduler waits for a better node, and before it reserves one.");
    public static final Valued<Long> NODE_LOCALITY = valued(
            "node-locality",
            ValueKind.DURATION_MILLIS,
            LocalityDelay.WhileRoom.DEFAULT.longest().node(),
            "1s, but only while a node that it names has room or containers of its queue take longer elsewhere",
            "How long a request waits for a node that it names before it accepts another node of the same rack. Once"
                    + " set, it waits so long even if these nodes are full. Nothing waits for a node that the cluster does"
                    + " not have.");
    public static final Valued<Long> RACK_LOCALITY = valued(
            "rack-locality",
            ValueKind.DURATION_MILLIS,
            LocalityDelay.WhileRoom.DEFAULT.longest().rack(),
            "5s, but only while a rack that it names has room",
            "How much longer it waits for a rack that it names before it accepts any node. Set one of the two and both"
                    + " hold even if the racks are full. Nothing waits for a rack that the cluster does not have.");
    public static final Valued<Long> RESERVATION = valued(
            "reservation",
            ValueKind.DURATION_MILLIS,
            SchedulingDelays.DEFAULT.reservation(),
            "5s",
            "How long a request that fits on no node waits before a node is reserved for it.");
    public static final Valued<Double> MAX_RESERVED_NODES = valued(
            "max-reserved-nodes",
            ValueKind.FRACTION,
            SchedulingDelays.DEFAULT.maxReservedNodes(),
            "5%",
            "Maximum part of the cluster's nodes that is reserved at the same time for requests that wait; at least one"
                    + " node. A market may reserve more for payers below their target. With 0 no node is reserved.");
    public static final Valued<Double> NODE_LOCALITY_THRESHOLD = valued(
            "node-locality-threshold",
            ValueKind.FRACTION,
            -1.0,
            "node-locality counts",
            "Replaces node-locality: the part of the cluster's nodes that a request passes over. Needs"
                    + " rack-locality-threshold.");
    public static final Valued<Double> RACK_LOCALITY_THRESHOLD = valued(
            "rack-locality-threshold",
            ValueKind.FRACTION,
            -1.0,
            "rack-locality counts",
            "Replaces rack-locality in the same way. Needs node-locality-threshold.");

    private static final ElementSchema.Attribute MISSING = optional(
            "missing",
            "What happens if the queue does not exist: refuse (the application is refused), pass (the next step is"
                    + " tried) or create (the queue is created, see new-queues). The default is refuse for specified and"
                    + " fixed, and pass for the other steps. With pass or create the name given at submission is a path"
                    + " from root on.");
    private static final String PARENT_DOC =
            "Path of the queue that contains it; the default is root. A step inside this element finds that queue"
                    + " instead.";
    public static final ElementSchema PLACEMENT = container(
            "placement",
            "`<specified/>`, then `<reject/>`",
            "The queue of an application: the steps are tried in order, and the first one that finds a leaf queue counts.");
    public static final ElementSchema SPECIFIED = step(
            "specified",
            "The queue named at submission. If it does not exist, the application is refused. A client that names no queue"
                    + " asks for default, which counts only if there is such a queue.",
            MISSING);
    public static final ElementSchema USER_STEP =
            step("user", "The queue with the name of the user.", optional("parent", PARENT_DOC), MISSING);
    public static final ElementSchema GROUP_STEP = step(
            "primary-group",
            "The queue with the name of the user's primary group.",
            optional("parent", PARENT_DOC),
            MISSING);
    public static final ElementSchema SECONDARY_STEP = step(
            "secondary-group",
            "The first configured queue with the name of one of the user's other groups.",
            optional("parent", PARENT_DOC));
    public static final ElementSchema FIXED = step(
            "fixed",
            "Always this queue.",
            required(
                    "queue",
                    "Path of a leaf queue. A part of it may be a variable: %user, %primary_group, %secondary_group (the"
                            + " first other group of which there is a queue), %application (its name) or %specified (the queue"
                            + " named at submission); then a last name that only one queue has is enough."),
            MISSING);
    public static final ElementSchema REJECT = step("reject", "The application is refused.");

    public static final ElementSchema QUEUE = repeated(
            "queue",
            null,
            "A queue. A queue without queues inside is a leaf and takes applications. The outermost queue is root.",
            required(
                    "name",
                    "Without blanks and without any of .,=:*?\"; the path of a queue is all names from root on,"
                            + " separated by dots."),
            optional("type", "parent for a queue that takes no applications although it has no queues inside."));
    public static final ElementSchema WEIGHT = repeated(
            "weight",
            ValueKind.WEIGHT.what(),
            "The share of a queue in its parent, or of a user in a leaf queue, relative to its siblings; the default"
                    + " is 1.",
            optional("resource", "The weight counts for this resource type only."));
    public static final ElementSchema USER = repeated(
            "user",
            null,
            "Leaf queues only: a user whose weight in this queue is not 1.",
            required("name", "The user's short name."));

    public static final ElementSchema MAX_APPLICATION_PRIORITY = repeated(
            "max-application-priority",
            ValueKind.count(0).what(),
            "Leaf queues only: the highest priority that these users may give their applications in this queue; of"
                    + " several such elements that name a user the highest one counts. A user that none names may give 0."
                    + " Without any, everyone may give every priority.",
            optional(
                    "users",
                    "Short names of users, separated by commas, or * for everyone; everyone if groups are absent,"
                            + " too."),
            optional("groups", "Names of groups."),
            optional("default", "The priority of applications that are submitted without one; 0 by default."));

    public static final ElementSchema RESOURCE_LIMIT = amount("cluster such as 50%", "Amount of one resource type");

    private static final Map<QueueSetting<?>, ElementSchema> OF_SETTINGS = ofSettings();

    /** The elements for which both an amount and a percentage may be given. */
    public static final Set<ElementSchema> RESOURCE_AMOUNTS =
            Set.of(RESOURCE_LIMIT, MINIMUM_OFFER_RESOURCE, LabelSchema.RESOURCE);

    /** The elements that each element may contain, in the order of the documentation. */
    public static final Map<ElementSchema, List<ElementSchema>> CHILDREN = children();

    private ConfigSchema() {}

    /** The element of a queue's setting. */
    public static ElementSchema of(QueueSetting<?> setting) {
        return Objects.requireNonNull(OF_SETTINGS.get(setting), setting::name);
    }

    /** The element of a queue's setting that is one text. */
    public static <T> Valued<T> valuedOf(QueueSetting<T> setting) {
        return new Valued<>(of(setting), setting.kind(), setting.fallback());
    }

    private static Map<QueueSetting<?>, ElementSchema> ofSettings() {
        Map<QueueSetting<?>, ElementSchema> all = new HashMap<>(Map.of(
                QueueSettings.WEIGHT, WEIGHT,
                QueueSettings.PLAN, PlanSchema.PLAN,
                QueueSettings.PRIORITIES, MAX_APPLICATION_PRIORITY,
                QueueSettings.LABEL_CAPACITIES, LabelSchema.NODE_LABEL,
                QueueSettings.USER_WEIGHTS, USER));
        for (QueueSetting<?> setting : QueueSettings.ALL) {
            String name = setting.name();
            switch (setting.form()) {
                case TEXT, ORDER ->
                    all.put(
                            setting,
                            new ElementSchema(
                                    name, false, List.of(), setting.kind().what(), setting.absent(), setting.doc()));
                case AMOUNTS -> all.put(setting, container(name, setting.absent(), setting.doc()));
                case PEOPLE -> all.put(setting, container(name, setting.absent(), setting.doc(), USERS, GROUPS));
                case OWN -> {}
            }
        }
        return all;
    }

    /** A placement step, with the conditions that every one may have. */
    private static ElementSchema step(String name, String doc, ElementSchema.Attribute... own) {
        List<ElementSchema.Attribute> all = new ArrayList<>(List.of(own));
        all.add(optional("users", "The step is tried for these users only: short names, separated by commas."));
        all.add(optional("groups", "The step is tried only for users of one of these groups."));
        all.add(optional("applications", "The step is tried only for applications with one of these names."));
        all.add(optional("unnamed", "true: the step is tried only where the submission names no queue."));
        return repeated(name, null, doc, all.toArray(ElementSchema.Attribute[]::new));
    }

    private static long atLeast(long least, String text) {
        long millis = ValueKind.DURATION_MILLIS.parse(text);
        if (millis < least) {
            throw new IllegalArgumentException();
        }
        return millis;
    }

    private static Map<ElementSchema, List<ElementSchema>> children() {
        Map<ElementSchema, List<ElementSchema>> children = new LinkedHashMap<>();
        children.put(
                FILE,
                List.of(
                        RESOURCE_WEIGHTS,
                        AllocationSchema.ALLOCATION.element(),
                        AllocationSchema.NODE_CHOICE.element(),
                        MAX_ASSIGN.element(),
                        MEMORY_ONLY.element(),
                        DYNAMIC_MAX_ASSIGN.element(),
                        MINIMUM_OFFER,
                        SIZE_BASED_WEIGHT.element(),
                        USAGE_HALF_LIFE.element(),
                        INCREMENT_ALLOCATION,
                        SCHEDULING_DELAYS,
                        PreemptionSchema.PREEMPTION,
                        USER_LIMITS,
                        PLACEMENT,
                        NEW_QUEUES,
                        QUEUE));
        children.put(INCREMENT_ALLOCATION, List.of(INCREMENT));
        children.put(MINIMUM_OFFER, List.of(MINIMUM_OFFER_RESOURCE));
        children.put(USER_LIMITS, List.of(DEFAULT_USER_LIMIT.element(), ONE_USER));
        children.put(
                NEW_QUEUES,
                QueueSettings.ALL.stream()
                        .filter(setting -> setting.is(QueueSetting.Trait.FOR_NEW_QUEUES))
                        .map(ConfigSchema::of)
                        .toList());
        children.put(RESOURCE_WEIGHTS, List.of(RESOURCE_WEIGHT));
        children.put(
                SCHEDULING_DELAYS,
                List.of(
                        NODE_LOCALITY.element(),
                        RACK_LOCALITY.element(),
                        RESERVATION.element(),
                        MAX_RESERVED_NODES.element(),
                        NODE_LOCALITY_THRESHOLD.element(),
                        RACK_LOCALITY_THRESHOLD.element()));
        children.put(
                PreemptionSchema.PREEMPTION,
                List.of(
                        PreemptionSchema.PREEMPTION_MODE.element(),
                        PreemptionSchema.GRACE_PERIOD.element(),
                        PreemptionSchema.MAX_PREEMPTED_PER_SECOND.element(),
                        PreemptionSchema.RESERVATION_TIMEOUT.element(),
                        PreemptionSchema.UTILIZATION_THRESHOLD.element(),
                        PreemptionSchema.PREEMPTED_MASTERS.element()));
        children.put(PLACEMENT, List.of(SPECIFIED, USER_STEP, GROUP_STEP, SECONDARY_STEP, FIXED, REJECT));
        List<ElementSchema> inside = List.of(SPECIFIED, USER_STEP, GROUP_STEP, SECONDARY_STEP, FIXED);
        children.put(USER_STEP, inside);
        children.put(GROUP_STEP, inside);
        children.put(SECONDARY_STEP, inside);
        List<ElementSchema> insideQueue =
                new ArrayList<>(QueueSettings.ALL.stream().map(ConfigSchema::of).toList());
        insideQueue.add(QUEUE);
        children.put(QUEUE, List.copyOf(insideQueue));
        children.put(PlanSchema.PLAN, PlanSchema.INSIDE);
        children.put(LabelSchema.NODE_LABEL, LabelSchema.INSIDE);
        children.put(LabelSchema.GUARANTEED, List.of(LabelSchema.RESOURCE));
        children.put(LabelSchema.MAX, List.of(LabelSchema.RESOURCE));
        QueueSettings.ALL.stream()
                .filter(setting -> setting.form() == QueueSetting.Form.AMOUNTS)
                .forEach(setting -> children.put(of(setting), List.of(RESOURCE_LIMIT)));
        children.put(USER, List.of(WEIGHT));
        return children;
    }
}
