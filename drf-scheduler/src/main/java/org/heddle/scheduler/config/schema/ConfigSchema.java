// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.schema;

import static org.heddle.scheduler.config.schema.ElementSchema.container;
import static org.heddle.scheduler.config.schema.ElementSchema.optional;
import static org.heddle.scheduler.config.schema.ElementSchema.repeated;
import static org.heddle.scheduler.config.schema.ElementSchema.required;
import static org.heddle.scheduler.config.schema.ElementSchema.valued;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.heddle.scheduler.config.schema.ElementSchema.Valued;
import org.heddle.scheduler.model.Lifetime;
import org.heddle.scheduler.model.PreemptionSettings;
import org.heddle.scheduler.model.QueuePreemptionSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.QueueTraits;
import org.heddle.scheduler.model.SchedulingDelays;
import org.heddle.settings.ValueKind;

/** The format of {@code heddle-scheduler.xml}, version 1: every element, once. */
public final class ConfigSchema {
    public static final String VERSION = "1";
    public static final String ROOT_QUEUE = "root";

    private static final String AMOUNT = "a whole number in the resource's own unit (memory-mb: MiB), a size such as"
            + " 4 GiB, or a percentage of the cluster such as 50%";
    private static final ValueKind<Long> WAIT = new ValueKind<>(
            "never, or " + ValueKind.DURATION_MILLIS.what(),
            text -> text.equals("never") ? QueuePreemptionSettings.NEVER : ValueKind.DURATION_MILLIS.parse(text));
    private static final ValueKind<Long> LIFETIME = new ValueKind<>(
            "unlimited, or a duration of 1s or more, such as 30min or 2h",
            text -> text.equals("unlimited") ? Lifetime.UNLIMITED : lifetime(text));
    private static final ValueKind<Double> AM_SHARE = new ValueKind<>(
            "unlimited, or " + ValueKind.FRACTION.what(),
            text -> text.equals("unlimited") ? QueueSpec.UNLIMITED_AM_SHARE : ValueKind.FRACTION.parse(text));
    private static final ValueKind<Boolean> TRUTH = new ValueKind<>("true or false", ConfigSchema::truth);
    private static final ValueKind<String> ORDER_NAME = new ValueKind<>("the name of a share order", text -> text);

    public static final ElementSchema FILE = container(
            "heddle-scheduler",
            "",
            "The whole file.",
            required("version", "Version of this format: " + VERSION + "."),
            optional(
                    "manners",
                    "Whose ways are followed in small things: heddle (where absent) or fair-scheduler. The latter is what a"
                            + " converted fair-scheduler.xml says: access lists count whether yarn.acl.enable is on or not,"
                            + " and for YARN's administrators too; ApplicationMasters share what FairScheduler reckons as a"
                            + " queue's fair share, the first like all others; a queue that goes from the file lives on until"
                            + " it is empty; limits below need not be within limits above."));

    public static final ElementSchema RESOURCE_WEIGHTS = container(
            "resource-weights",
            "every resource weighs 1",
            "How much each resource type counts in dominant shares, at every level.");
    public static final ElementSchema RESOURCE_WEIGHT = repeated(
            "resource",
            ValueKind.POSITIVE_WEIGHT.what(),
            "Weight of one resource type; 1 where absent.",
            required("name", "A resource type of the cluster: memory-mb, vcores, yarn.io/gpu ..."));

    public static final Valued<Integer> MAX_ASSIGN = valued(
            "max-assign",
            ValueKind.count(1),
            Integer.MAX_VALUE,
            "no limit",
            "Most containers placed on one node by one heartbeat.");

    public static final Valued<Boolean> HALF_OF_ROOM = valued(
            "half-of-room",
            TRUTH,
            false,
            "false",
            "Whether one heartbeat fills at most half of a node's free room (and one container more).");
    public static final Valued<Boolean> WEIGH_BY_SIZE = valued(
            "weigh-by-size",
            TRUTH,
            false,
            "false",
            "Whether applications weigh log2(1 + memory that they hold and ask for) in place of 1.");
    public static final ElementSchema INCREMENTS = container(
            "increments", "`yarn.scheduler.minimum-allocation-*`", "Steps to which container sizes are rounded up.");
    public static final ElementSchema INCREMENT = repeated(
            "resource",
            ValueKind.count(1).what(),
            "The step of one resource type, in its own unit.",
            required("name", "A resource type of the cluster: memory-mb, vcores, yarn.io/gpu ..."));
    public static final ElementSchema USER_LIMITS = container(
            "user-limits", "no limit", "How many applications a user may run at once, in all queues together.");
    public static final Valued<Integer> EACH_USER = valued(
            "each", ValueKind.count(0), Integer.MAX_VALUE, "no limit", "The limit of everybody who is not named.");
    public static final ElementSchema ONE_USER = repeated(
            "user", ValueKind.count(0).what(), "The limit of one user.", required("name", "The user's short name."));
    public static final ElementSchema NEW_QUEUES = container(
            "new-queues",
            "no queue is made that is not configured",
            "What queues are like that are made by a placement step with missing=\"create\". They go when they are empty.");
    public static final ElementSchema MINIMUM_OFFER = container(
            "minimum-offer",
            "none",
            "Minimum offer size: a node that is in use is offered only when so much is free on it, so that small containers"
                    + " do not take every place before a large one fits. Amounts are in the resource's own unit, parts"
                    + " of the node.",
            optional(
                    "mode",
                    "off, automatic (the largest that is asked for at the moment) or set (the resources inside; what is"
                            + " meant where there are some)."),
            optional(
                    "largest-part",
                    "With automatic: asks for more than this part of a node do not count, and no more is left idle; 25%"
                            + " where absent."));
    public static final ElementSchema WAITS =
            container("waits", "the defaults below", "How long things may be waited for.");
    public static final Valued<Long> NODE_LOCALITY = valued(
            "node-locality",
            ValueKind.DURATION_MILLIS,
            SchedulingDelays.DEFAULT.nodeLocality(),
            "1s",
            "How long an application passes over nodes that hold none of its data.");
    public static final Valued<Long> RACK_LOCALITY = valued(
            "rack-locality",
            ValueKind.DURATION_MILLIS,
            SchedulingDelays.DEFAULT.rackLocality(),
            "5s",
            "How much longer, after that, it passes over racks that hold none of its data.");
    public static final Valued<Long> RESERVATION = valued(
            "reservation",
            ValueKind.DURATION_MILLIS,
            SchedulingDelays.DEFAULT.reservation(),
            "5s",
            "How long an ask that fits no node's free room waits before a node is reserved for it.");
    public static final Valued<Long> RESERVATION_EXPIRY = valued(
            "reservation-expiry",
            ValueKind.DURATION_MILLIS,
            SchedulingDelays.DEFAULT.reservationExpiry(),
            "60s",
            "How long a reservation is held before it is dropped.");
    public static final Valued<Double> MAX_RESERVED_NODES = valued(
            "max-reserved-nodes",
            ValueKind.FRACTION,
            SchedulingDelays.DEFAULT.maxReservedNodes(),
            "5%",
            "Part of the cluster's nodes that may be reserved at once; at least one node unless 0.");
    public static final Valued<Double> NODE_SKIPS = valued(
            "node-skips",
            ValueKind.FRACTION,
            -1.0,
            "node-locality counts",
            "In place of node-locality: part of the cluster's nodes that an application passes over. With rack-skips.");
    public static final Valued<Double> RACK_SKIPS = valued(
            "rack-skips",
            ValueKind.FRACTION,
            -1.0,
            "rack-locality counts",
            "In place of rack-locality: the same for racks. With node-skips.");

    public static final ElementSchema REVOCATION = container(
            "revocation",
            "the defaults below",
            "Whether and how containers are taken from those above their share for those below theirs.");
    public static final Valued<PreemptionSettings.Mode> REVOCATION_MODE = valued(
            "mode",
            new ValueKind<>("off, dry-run or on", ConfigSchema::mode),
            PreemptionSettings.DEFAULT.mode(),
            "off",
            "off: never; dry-run: what would be revoked is reported in the log, in REST and on the page, and nothing is;"
                    + " on: ApplicationMasters are told, and the containers killed when the grace period is over.");
    public static final Valued<Long> GRACE = valued(
            "grace",
            ValueKind.DURATION_MILLIS,
            PreemptionSettings.DEFAULT.graceMillis(),
            "15s",
            "Time between telling an ApplicationMaster and killing its container. Spark ignores the notice: for it a grace"
                    + " period only lets short tasks end, so keep it short.");
    public static final Valued<Double> MAX_REVOKED_PER_SECOND = valued(
            "max-per-second",
            ValueKind.POSITIVE_FRACTION,
            PreemptionSettings.DEFAULT.maxPerSecond(),
            "1%",
            "Most that is revoked, as a part of the cluster per second; one container may exceed it, and is made up for"
                    + " before the next.");
    public static final Valued<Long> RESERVATION_STUCK = valued(
            "reservation-stuck",
            WAIT,
            PreemptionSettings.DEFAULT.reservationStuckMillis(),
            "15s",
            "How long a node may be held for a large ask before containers on it are revoked for that, or never.");
    public static final Valued<Double> MIN_UTILIZATION = valued(
            "min-utilization",
            ValueKind.FRACTION,
            PreemptionSettings.DEFAULT.minUtilization(),
            "0",
            "Part of the cluster, of the resource most in use, above which containers are revoked.");
    public static final Valued<Boolean> REVOKED_MASTERS = valued(
            "masters",
            new ValueKind<>("last or never", ConfigSchema::masters),
            PreemptionSettings.DEFAULT.masters(),
            "last",
            "last: an ApplicationMaster's container is revoked only where no others make room, and as the last one of its"
                    + " application, which would end with it; never: it stays.");

    private static final ElementSchema.Attribute MISSING = optional(
            "missing",
            "What if there is no such queue: refuse the application (where absent: for specified), pass to the next step"
                    + " (for the others) or create the queue, as new-queues says. With pass or create a queue that"
                    + " is named at submission is meant from root on.");
    private static final String PARENT_DOC =
            "Path of the queue to look under; root where absent. A step inside finds that queue in its place.";
    public static final ElementSchema PLACEMENT = container(
            "placement",
            "`<specified/>`, then `<reject/>`",
            "How applications find their queue: steps tried in order, the first that names an existing leaf wins.");
    public static final ElementSchema SPECIFIED = repeated(
            "specified",
            null,
            "The queue named at submission; one that does not exist is refused. A client that names none asks for default,"
                    + " which counts only where there is such a queue.",
            MISSING);
    public static final ElementSchema USER_STEP =
            repeated("user", null, "A queue named after the user.", optional("parent", PARENT_DOC), MISSING);
    public static final ElementSchema GROUP_STEP = repeated(
            "primary-group",
            null,
            "A queue named after the user's primary group.",
            optional("parent", PARENT_DOC),
            MISSING);
    public static final ElementSchema SECONDARY_STEP = repeated(
            "secondary-group",
            null,
            "A configured queue named after one of the user's groups, the first that has one.",
            optional("parent", PARENT_DOC));
    public static final ElementSchema FIXED =
            repeated("fixed", null, "Always the same queue.", required("queue", "Path of a leaf queue."), MISSING);
    public static final ElementSchema REJECT = repeated("reject", null, "Refuse the application.");

    public static final ElementSchema QUEUE = repeated(
            "queue",
            null,
            "A queue; without queues inside it is a leaf and takes applications. The outermost one is root.",
            required(
                    "name",
                    "Without blanks and without any of .,=:*?\"; its path is all names from root on, dots between."),
            optional("type", "parent for a queue that takes no applications although it has no queues inside."));
    public static final ElementSchema WEIGHT = repeated(
            "weight",
            ValueKind.WEIGHT.what(),
            "How much of its parent a queue or user is entitled to, relative to its siblings; 1 where absent.",
            optional("resource", "The weight is for this resource type only."));
    public static final Valued<String> ORDER = valued(
            "order",
            ORDER_NAME,
            "drf",
            "drf",
            "Share order among its queues, or among the users of a leaf: drf (dominant resource fairness), asset (the sum of"
                    + " all shares), fair (memory alone), priority (strict), fifo, lottery (by lot, weights being the"
                    + " tickets), max-utilization (once all have their shares, what uses resources most evenly), or one"
                    + " from another jar.");
    public static final Valued<Integer> PRIORITY = valued(
            "priority",
            ValueKind.count(0),
            0,
            "0",
            "Place under a queue whose order is priority (or fifo); larger first.");
    public static final Valued<QueueTraits.Division> DIVIDE_BY = valued(
            "divide-by",
            new ValueKind<>("users or applications", ConfigSchema::division),
            QueueTraits.Division.USERS,
            "users",
            "Leaf queues only: what the order divides among. With applications nobody's user matters, as under"
                    + " FairScheduler, and user-order has no effect.");
    public static final ElementSchema MAX_CONTAINER = container(
            "max-container",
            "as the queue above; root: `yarn.scheduler.maximum-allocation-*`",
            "Largest container that may be asked for.");
    public static final ElementSchema MAX_NEW_QUEUE = container(
            "max-new-queue",
            "as new-queues says",
            "Most that each queue may hold that is made inside this one without being configured.");
    public static final Valued<String> USER_ORDER = valued(
            "user-order", ORDER_NAME, "fifo", "fifo", "Leaf queues only: order among the applications of one user.");
    public static final ElementSchema MAX_RESOURCES =
            container("max-resources", "no limit", "Most that the whole queue may hold.");
    public static final ElementSchema MAX_RESOURCES_PER_USER = container(
            "max-resources-per-user", "no limit", "Leaf queues only: most that one user may hold in this queue.");
    public static final ElementSchema RESOURCE_LIMIT = repeated(
            "resource",
            AMOUNT,
            "Limit on one resource type; may be given as an amount, as a percentage, or both (the smaller holds).",
            required("name", "A resource type of the cluster: memory-mb, vcores, yarn.io/gpu ..."));
    public static final Valued<Integer> MAX_RUNNING_APPS = valued(
            "max-running-apps",
            ValueKind.count(0),
            Integer.MAX_VALUE,
            "no limit",
            "Most applications that run at once in this queue and below it.");
    public static final Valued<Integer> MAX_RUNNING_APPS_PER_USER = valued(
            "max-running-apps-per-user",
            ValueKind.count(0),
            Integer.MAX_VALUE,
            "no limit",
            "Leaf queues only: the same for each user.");
    public static final Valued<Double> MAX_AM_SHARE = valued(
            "max-am-share",
            AM_SHARE,
            0.5,
            "50%",
            "Leaf queues only: part of what the queue is entitled to that ApplicationMasters may hold, the first always;"
                    + " 100% or unlimited for no limit.");
    public static final Valued<Long> MAX_APPLICATION_LIFETIME = valued(
            "max-application-lifetime",
            LIFETIME,
            Lifetime.UNLIMITED,
            "as the queue above; root: unlimited",
            "How long an application may live at most, whatever it asks for; then it is killed.");
    public static final Valued<Long> APPLICATION_LIFETIME = valued(
            "application-lifetime",
            LIFETIME,
            Lifetime.UNLIMITED,
            "as the queue above, or max-application-lifetime if that is shorter",
            "How long an application lives that asks for no lifetime.");
    public static final Valued<Set<String>> NODE_LABELS = valued(
            "node-labels",
            new ValueKind<>("node labels, commas between, or * for all", ConfigSchema::labels),
            Set.of("*"),
            "as the queue above; root: *",
            "Labels of the nodes that applications may ask for; nodes without a label are open to everyone.");
    public static final Valued<String> DEFAULT_NODE_LABEL = valued(
            "default-node-label",
            new ValueKind<>("a node label, or nothing", text -> text),
            "",
            "as the queue above; root: none",
            "Where asks go that name no label.");
    public static final ElementSchema GUARANTEED_RESOURCES = container(
            "guaranteed-resources",
            "nothing",
            "What the queue is given before shares are considered, and what is never revoked from it. It has its"
                    + " guarantee when it holds as much as guaranteed of one of the resources named.");
    public static final Valued<Boolean> REVOCABLE = valued(
            "revocable",
            TRUTH,
            QueuePreemptionSettings.DEFAULT.revocable(),
            "as the queue above; root: true",
            "Whether containers of this queue and of those below it may be revoked.");
    public static final Valued<Long> BELOW_GUARANTEE = valued(
            "below-guarantee",
            WAIT,
            QueuePreemptionSettings.DEFAULT.belowGuaranteeMillis(),
            "as the queue above; root: 15s",
            "How long it asks in vain for what it is guaranteed before others' containers are revoked for it, or never.");
    public static final Valued<Long> BELOW_SHARE = valued(
            "below-share",
            WAIT,
            QueuePreemptionSettings.DEFAULT.belowShareMillis(),
            "as the queue above; root: 30s",
            "The same for what it, or one of its users, is entitled to.");
    public static final Valued<Double> SHARE_THRESHOLD = valued(
            "share-threshold",
            ValueKind.FRACTION,
            QueuePreemptionSettings.DEFAULT.threshold(),
            "as the queue above; root: 90%",
            "Below which part of its entitlement it, or one of its users, counts as being below its share.");
    public static final Valued<Double> SHARE_RESTORED = valued(
            "share-restored",
            ValueKind.FRACTION,
            QueuePreemptionSettings.DEFAULT.restored(),
            "as the queue above; root: 100%",
            "Up to which part of its entitlement it is then helped; share-threshold, where that is more.");
    public static final ElementSchema SUBMIT = container(
            "submit",
            "root: everyone; other queues: nobody but whom the queues above admit",
            "Who may submit applications, here and below; an empty element names nobody.",
            optional("users", "User names, commas between; * for everyone."),
            optional("groups", "Group names, commas between."));
    public static final ElementSchema ADMINISTER = container(
            "administer",
            "nobody but whom the queues above admit",
            "Who may administer (and submit), here and below; YARN's own administrators always may.",
            optional("users", "User names, commas between; * for everyone."),
            optional("groups", "Group names, commas between."));
    public static final ElementSchema USER = repeated(
            "user",
            null,
            "Leaf queues only: a user who does not weigh 1 in this queue.",
            required("name", "The user's short name."));

    /** Which elements may stand in which, in the order of the documentation; those not listed take none. */
    public static final Map<ElementSchema, List<ElementSchema>> CHILDREN = children();

    private ConfigSchema() {}

    private static PreemptionSettings.Mode mode(String text) {
        return PreemptionSettings.Mode.valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    private static boolean masters(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "last" -> true;
            case "never" -> false;
            default -> throw new IllegalArgumentException();
        };
    }

    private static long lifetime(String text) {
        long millis = ValueKind.DURATION_MILLIS.parse(text);
        if (millis < 1_000) {
            throw new IllegalArgumentException();
        }
        return millis;
    }

    private static Set<String> labels(String text) {
        Set<String> labels = new TreeSet<>(List.of(text.split("[\\s,]+")));
        labels.remove("");
        if (labels.contains("*") && labels.size() > 1) {
            throw new IllegalArgumentException();
        }
        return labels;
    }

    private static QueueTraits.Division division(String text) {
        return QueueTraits.Division.valueOf(text.toUpperCase(Locale.ROOT));
    }

    private static boolean truth(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException();
        }
        return text.equals("true");
    }

    private static Map<ElementSchema, List<ElementSchema>> children() {
        Map<ElementSchema, List<ElementSchema>> children = new LinkedHashMap<>();
        children.put(
                FILE,
                List.of(
                        RESOURCE_WEIGHTS,
                        MAX_ASSIGN.element(),
                        HALF_OF_ROOM.element(),
                        MINIMUM_OFFER,
                        WEIGH_BY_SIZE.element(),
                        INCREMENTS,
                        WAITS,
                        REVOCATION,
                        USER_LIMITS,
                        PLACEMENT,
                        NEW_QUEUES,
                        QUEUE));
        children.put(INCREMENTS, List.of(INCREMENT));
        children.put(MINIMUM_OFFER, List.of(RESOURCE_LIMIT));
        children.put(USER_LIMITS, List.of(EACH_USER.element(), ONE_USER));
        children.put(
                NEW_QUEUES,
                List.of(
                        ORDER.element(),
                        USER_ORDER.element(),
                        DIVIDE_BY.element(),
                        MAX_RESOURCES,
                        MAX_RUNNING_APPS.element(),
                        MAX_AM_SHARE.element()));
        children.put(RESOURCE_WEIGHTS, List.of(RESOURCE_WEIGHT));
        children.put(
                WAITS,
                List.of(
                        NODE_LOCALITY.element(),
                        RACK_LOCALITY.element(),
                        RESERVATION.element(),
                        RESERVATION_EXPIRY.element(),
                        MAX_RESERVED_NODES.element(),
                        NODE_SKIPS.element(),
                        RACK_SKIPS.element()));
        children.put(
                REVOCATION,
                List.of(
                        REVOCATION_MODE.element(),
                        GRACE.element(),
                        MAX_REVOKED_PER_SECOND.element(),
                        RESERVATION_STUCK.element(),
                        MIN_UTILIZATION.element(),
                        REVOKED_MASTERS.element()));
        children.put(PLACEMENT, List.of(SPECIFIED, USER_STEP, GROUP_STEP, SECONDARY_STEP, FIXED, REJECT));
        List<ElementSchema> inside = List.of(SPECIFIED, USER_STEP, GROUP_STEP, SECONDARY_STEP, FIXED);
        children.put(USER_STEP, inside);
        children.put(GROUP_STEP, inside);
        children.put(SECONDARY_STEP, inside);
        children.put(
                QUEUE,
                List.of(
                        WEIGHT,
                        PRIORITY.element(),
                        ORDER.element(),
                        USER_ORDER.element(),
                        DIVIDE_BY.element(),
                        MAX_RESOURCES,
                        MAX_RESOURCES_PER_USER,
                        MAX_CONTAINER,
                        MAX_NEW_QUEUE,
                        PlanSchema.PLAN,
                        MAX_RUNNING_APPS.element(),
                        MAX_RUNNING_APPS_PER_USER.element(),
                        MAX_AM_SHARE.element(),
                        MAX_APPLICATION_LIFETIME.element(),
                        APPLICATION_LIFETIME.element(),
                        NODE_LABELS.element(),
                        DEFAULT_NODE_LABEL.element(),
                        GUARANTEED_RESOURCES,
                        REVOCABLE.element(),
                        BELOW_GUARANTEE.element(),
                        BELOW_SHARE.element(),
                        SHARE_THRESHOLD.element(),
                        SHARE_RESTORED.element(),
                        SUBMIT,
                        ADMINISTER,
                        USER,
                        QUEUE));
        children.put(PlanSchema.PLAN, PlanSchema.INSIDE);
        children.put(MAX_RESOURCES, List.of(RESOURCE_LIMIT));
        children.put(GUARANTEED_RESOURCES, List.of(RESOURCE_LIMIT));
        children.put(MAX_RESOURCES_PER_USER, List.of(RESOURCE_LIMIT));
        children.put(MAX_CONTAINER, List.of(RESOURCE_LIMIT));
        children.put(MAX_NEW_QUEUE, List.of(RESOURCE_LIMIT));
        children.put(USER, List.of(WEIGHT));
        return children;
    }
}
