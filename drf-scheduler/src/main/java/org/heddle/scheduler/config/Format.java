// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config;

import static org.heddle.scheduler.config.ElementRule.container;
import static org.heddle.scheduler.config.ElementRule.optional;
import static org.heddle.scheduler.config.ElementRule.repeated;
import static org.heddle.scheduler.config.ElementRule.required;
import static org.heddle.scheduler.config.ElementRule.valued;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.heddle.scheduler.config.ElementRule.Valued;
import org.heddle.scheduler.model.Protection;
import org.heddle.scheduler.model.Revocation;
import org.heddle.scheduler.model.ValueKind;
import org.heddle.scheduler.model.Waits;

/** The format of {@code heddle-scheduler.xml}, version 1: every element, once. */
final class Format {
    static final String VERSION = "1";
    static final String ROOT_QUEUE = "root";

    private static final String AMOUNT = "a whole number in the resource's own unit (memory-mb: MiB), a size such as"
            + " 4 GiB, or a percentage of the cluster such as 50%";
    private static final ValueKind<Long> WAIT = new ValueKind<>(
            "never, or " + ValueKind.DURATION_MILLIS.what(),
            text -> text.equals("never") ? Protection.NEVER : ValueKind.DURATION_MILLIS.parse(text));
    private static final ValueKind<String> ORDER_NAME = new ValueKind<>("the name of a share order", text -> text);

    static final ElementRule FILE = container(
            "heddle-scheduler", "", "The whole file.", required("version", "Version of this format: " + VERSION + "."));

    static final ElementRule RESOURCE_WEIGHTS = container(
            "resource-weights",
            "every resource weighs 1",
            "How much each resource type counts in dominant shares, at every level.");
    static final ElementRule RESOURCE_WEIGHT = repeated(
            "resource",
            ValueKind.POSITIVE_WEIGHT.what(),
            "Weight of one resource type; 1 where absent.",
            required("name", "A resource type of the cluster: memory-mb, vcores, yarn.io/gpu ..."));

    static final Valued<Integer> MAX_ASSIGN = valued(
            "max-assign",
            ValueKind.count(1),
            Integer.MAX_VALUE,
            "no limit",
            "Most containers placed on one node by one heartbeat.");

    static final ElementRule WAITS = container("waits", "the defaults below", "How long things may be waited for.");
    static final Valued<Long> NODE_LOCALITY = valued(
            "node-locality",
            ValueKind.DURATION_MILLIS,
            Waits.DEFAULT.nodeLocality(),
            "1s",
            "How long an application passes over nodes that hold none of its data.");
    static final Valued<Long> RACK_LOCALITY = valued(
            "rack-locality",
            ValueKind.DURATION_MILLIS,
            Waits.DEFAULT.rackLocality(),
            "5s",
            "How much longer, after that, it passes over racks that hold none of its data.");
    static final Valued<Long> RESERVATION = valued(
            "reservation",
            ValueKind.DURATION_MILLIS,
            Waits.DEFAULT.reservation(),
            "5s",
            "How long an ask that fits no node's free room waits before a node is reserved for it.");
    static final Valued<Long> RESERVATION_EXPIRY = valued(
            "reservation-expiry",
            ValueKind.DURATION_MILLIS,
            Waits.DEFAULT.reservationExpiry(),
            "60s",
            "How long a reservation is held before it is dropped.");
    static final Valued<Double> MAX_RESERVED_NODES = valued(
            "max-reserved-nodes",
            ValueKind.FRACTION,
            Waits.DEFAULT.maxReservedNodes(),
            "5%",
            "Part of the cluster's nodes that may be reserved at once; at least one node unless 0.");

    static final ElementRule REVOCATION = container(
            "revocation",
            "the defaults below",
            "Whether and how containers are taken from those above their share for those below theirs.");
    static final Valued<Revocation.Mode> REVOCATION_MODE = valued(
            "mode",
            new ValueKind<>("off, dry-run or on", Format::mode),
            Revocation.DEFAULT.mode(),
            "off",
            "off: never; dry-run: what would be revoked is reported in the log, in REST and on the page, and nothing is;"
                    + " on: ApplicationMasters are told, and the containers killed when the grace period is over.");
    static final Valued<Long> GRACE = valued(
            "grace",
            ValueKind.DURATION_MILLIS,
            Revocation.DEFAULT.graceMillis(),
            "15s",
            "Time between telling an ApplicationMaster and killing its container.");
    static final Valued<Double> MAX_REVOKED_PER_SECOND = valued(
            "max-per-second",
            ValueKind.POSITIVE_FRACTION,
            Revocation.DEFAULT.maxPerSecond(),
            "1%",
            "Most that is revoked, as a part of the cluster per second; one container may exceed it, and is made up for"
                    + " before the next.");
    static final Valued<Long> RESERVATION_STUCK = valued(
            "reservation-stuck",
            ValueKind.DURATION_MILLIS,
            Revocation.DEFAULT.reservationStuckMillis(),
            "15s",
            "How long a node may be held for a large ask before containers on it are revoked for that.");

    static final ElementRule PLACEMENT = container(
            "placement",
            "`<specified/>`, then `<reject/>`",
            "How applications find their queue: steps tried in order, the first that names an existing leaf wins.");
    static final ElementRule SPECIFIED = repeated(
            "specified",
            null,
            "The queue named at submission; one that does not exist is refused. A client that names none asks for default,"
                    + " which counts only where there is such a queue.");
    static final ElementRule USER_STEP = repeated(
            "user",
            null,
            "A queue named after the user.",
            optional("parent", "Path of the queue to look under; root where absent."));
    static final ElementRule GROUP_STEP = repeated(
            "primary-group",
            null,
            "A queue named after the user's primary group.",
            optional("parent", "Path of the queue to look under; root where absent."));
    static final ElementRule FIXED =
            repeated("fixed", null, "Always the same queue.", required("queue", "Path of a leaf queue."));
    static final ElementRule REJECT = repeated("reject", null, "Refuse the application.");

    static final ElementRule QUEUE = repeated(
            "queue",
            null,
            "A queue; without queues inside it is a leaf and takes applications. The outermost one is root.",
            required(
                    "name",
                    "Without blanks and without any of .,=:*?\"; its path is all names from root on, dots between."));
    static final ElementRule WEIGHT = repeated(
            "weight",
            ValueKind.WEIGHT.what(),
            "How much of its parent a queue or user is entitled to, relative to its siblings; 1 where absent.",
            optional("resource", "The weight is for this resource type only."));
    static final Valued<String> ORDER = valued(
            "order",
            ORDER_NAME,
            "drf",
            "drf",
            "Share order among its queues, or among the users of a leaf: drf (dominant resource fairness), fifo.");
    static final Valued<String> USER_ORDER = valued(
            "user-order", ORDER_NAME, "fifo", "fifo", "Leaf queues only: order among the applications of one user.");
    static final ElementRule MAX_RESOURCES =
            container("max-resources", "no limit", "Most that the whole queue may hold.");
    static final ElementRule MAX_RESOURCES_PER_USER = container(
            "max-resources-per-user", "no limit", "Leaf queues only: most that one user may hold in this queue.");
    static final ElementRule RESOURCE_LIMIT = repeated(
            "resource",
            AMOUNT,
            "Limit on one resource type; may be given as an amount, as a percentage, or both (the smaller holds).",
            required("name", "A resource type of the cluster: memory-mb, vcores, yarn.io/gpu ..."));
    static final Valued<Integer> MAX_RUNNING_APPS = valued(
            "max-running-apps",
            ValueKind.count(0),
            Integer.MAX_VALUE,
            "no limit",
            "Most applications that run at once in this queue and below it.");
    static final Valued<Integer> MAX_RUNNING_APPS_PER_USER = valued(
            "max-running-apps-per-user",
            ValueKind.count(0),
            Integer.MAX_VALUE,
            "no limit",
            "Leaf queues only: the same for each user.");
    static final Valued<Double> MAX_AM_SHARE = valued(
            "max-am-share",
            ValueKind.POSITIVE_FRACTION,
            0.5,
            "50%",
            "Leaf queues only: part of what the queue is entitled to that ApplicationMasters may hold, the first always;"
                    + " 100% for no limit.");
    static final ElementRule GUARANTEED_RESOURCES = container(
            "guaranteed-resources",
            "nothing",
            "What the queue is given before shares are considered, and what is never revoked from it. It has its"
                    + " guarantee when it holds as much as guaranteed of one of the resources named.");
    static final Valued<Boolean> REVOCABLE = valued(
            "revocable",
            new ValueKind<>("true or false", Format::truth),
            Protection.DEFAULT.revocable(),
            "as the queue above; root: true",
            "Whether containers of this queue and of those below it may be revoked.");
    static final Valued<Long> BELOW_GUARANTEE = valued(
            "below-guarantee",
            WAIT,
            Protection.DEFAULT.belowGuaranteeMillis(),
            "as the queue above; root: 15s",
            "How long it asks in vain for what it is guaranteed before others' containers are revoked for it, or never.");
    static final Valued<Long> BELOW_SHARE = valued(
            "below-share",
            WAIT,
            Protection.DEFAULT.belowShareMillis(),
            "as the queue above; root: 30s",
            "The same for what it, or one of its users, is entitled to.");
    static final Valued<Double> SHARE_THRESHOLD = valued(
            "share-threshold",
            ValueKind.FRACTION,
            Protection.DEFAULT.threshold(),
            "as the queue above; root: 90%",
            "Below which part of its entitlement it, or one of its users, counts as being below its share.");
    static final ElementRule SUBMIT = container(
            "submit",
            "root: everyone; other queues: nobody but whom the queues above admit",
            "Who may submit applications, here and below; an empty element names nobody.",
            optional("users", "User names, commas between; * for everyone."),
            optional("groups", "Group names, commas between."));
    static final ElementRule ADMINISTER = container(
            "administer",
            "nobody but whom the queues above admit",
            "Who may administer (and submit), here and below; YARN's own administrators always may.",
            optional("users", "User names, commas between; * for everyone."),
            optional("groups", "Group names, commas between."));
    static final ElementRule USER = repeated(
            "user",
            null,
            "Leaf queues only: a user who does not weigh 1 in this queue.",
            required("name", "The user's short name."));

    /** Which elements may stand in which, in the order of the documentation; those not listed take none. */
    static final Map<ElementRule, List<ElementRule>> CHILDREN = children();

    private Format() {}

    private static Revocation.Mode mode(String text) {
        return Revocation.Mode.valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    private static boolean truth(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException();
        }
        return text.equals("true");
    }

    private static Map<ElementRule, List<ElementRule>> children() {
        Map<ElementRule, List<ElementRule>> children = new LinkedHashMap<>();
        children.put(FILE, List.of(RESOURCE_WEIGHTS, MAX_ASSIGN.element(), WAITS, REVOCATION, PLACEMENT, QUEUE));
        children.put(RESOURCE_WEIGHTS, List.of(RESOURCE_WEIGHT));
        children.put(
                WAITS,
                List.of(
                        NODE_LOCALITY.element(),
                        RACK_LOCALITY.element(),
                        RESERVATION.element(),
                        RESERVATION_EXPIRY.element(),
                        MAX_RESERVED_NODES.element()));
        children.put(
                REVOCATION,
                List.of(
                        REVOCATION_MODE.element(),
                        GRACE.element(),
                        MAX_REVOKED_PER_SECOND.element(),
                        RESERVATION_STUCK.element()));
        children.put(PLACEMENT, List.of(SPECIFIED, USER_STEP, GROUP_STEP, FIXED, REJECT));
        children.put(
                QUEUE,
                List.of(
                        WEIGHT,
                        ORDER.element(),
                        USER_ORDER.element(),
                        MAX_RESOURCES,
                        MAX_RESOURCES_PER_USER,
                        MAX_RUNNING_APPS.element(),
                        MAX_RUNNING_APPS_PER_USER.element(),
                        MAX_AM_SHARE.element(),
                        GUARANTEED_RESOURCES,
                        REVOCABLE.element(),
                        BELOW_GUARANTEE.element(),
                        BELOW_SHARE.element(),
                        SHARE_THRESHOLD.element(),
                        SUBMIT,
                        ADMINISTER,
                        USER,
                        QUEUE));
        children.put(MAX_RESOURCES, List.of(RESOURCE_LIMIT));
        children.put(GUARANTEED_RESOURCES, List.of(RESOURCE_LIMIT));
        children.put(MAX_RESOURCES_PER_USER, List.of(RESOURCE_LIMIT));
        children.put(USER, List.of(WEIGHT));
        return children;
    }
}
