// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.heddle.scheduler.model.QueueSetting.Form;
import org.heddle.scheduler.model.QueueSetting.Trait;
import org.heddle.settings.ValueKind;

/**
 * Every setting of a queue, once, in the order of the reference. A new one needs a definition here, and the code that
 * it governs asks {@link QueueSpec#get} for it. It is long because all settings are here.
 */
public final class QueueSettings {
    private static final ValueKind<Long> LIFETIME = new ValueKind<>(
            "unlimited, or a duration of 1s or more, such as 30min or 2h",
            text -> text.equals("unlimited") ? Lifetime.UNLIMITED : lifetime(text));
    private static final ValueKind<Double> AM_SHARE = new ValueKind<>(
            "unlimited, or " + ValueKind.FRACTION.what(),
            text -> text.equals("unlimited") ? QueueSpec.UNLIMITED_AM_SHARE : ValueKind.FRACTION.parse(text));
    /** How long a wait lasts; {@link QueuePreemptionSettings#NEVER} if it does not end. */
    public static final ValueKind<Long> TIMEOUT = new ValueKind<>(
            "never, or " + ValueKind.DURATION_MILLIS.what(),
            text -> text.equals("never") ? QueuePreemptionSettings.NEVER : ValueKind.DURATION_MILLIS.parse(text));

    private static final ValueKind<Boolean> STATE = new ValueKind<>("running or stopped", text -> {
        if (!text.equals("running") && !text.equals("stopped")) {
            throw new IllegalArgumentException();
        }
        return text.equals("stopped");
    });
    private static final ValueKind<QueueSpec.Division> DIVISION =
            new ValueKind<>("users or applications", text -> QueueSpec.Division.valueOf(text.toUpperCase(Locale.ROOT)));
    private static final ValueKind<Set<String>> LABELS =
            new ValueKind<>("node labels, separated by commas, or * for all", QueueSettings::labels);
    private static final QueuePreemptionSettings USUAL = QueuePreemptionSettings.DEFAULT;

    private static final List<QueueSetting<?>> DEFINED = new ArrayList<>();

    /** Against its siblings. */
    public static final QueueSetting<Weights> WEIGHT =
            own("weight", Weights.ONE).fair("weight");
    /** Queues beside one that has it divide the rest by their weights. */
    public static final QueueSetting<Amounts> CAPACITY = amounts(
                    "capacity",
                    "by weight",
                    "What the queue is entitled to while all queues are busy, in place of a part by its weight: amounts come"
                            + " first, percentages are of what the amounts beside it leave of the queue above, and queues"
                            + " that have neither divide the rest by their weights, each resource type by itself.")
            .subject("entitled to");
    /** It takes no new applications, and those inside take none. */
    public static final QueueSetting<Boolean> STOPPED = text(
                    "state",
                    STATE,
                    false,
                    "running",
                    "stopped: this queue and all queues inside it take no new applications; those that they have continue, and"
                            + " the queue is reported as draining until the last one has ended.")
            .text(stopped -> stopped ? "stopped" : "running")
            .words(stopped -> stopped ? "stopped" : "");

    public static final QueueSetting<Integer> MAX_APPLICATIONS = limit(
                    "max-applications",
                    "Maximum number of applications in this queue and in all queues inside it, running and waiting. Further"
                            + " ones are refused at submission.")
            .subject("running and waiting applications");
    public static final QueueSetting<Integer> MAX_APPLICATIONS_PER_USER = limit(
                    "max-applications-per-user",
                    "Leaf queues only: maximum number of applications of one user in this queue, running and waiting. Further"
                            + " ones are refused at submission.")
            .subject("running and waiting applications of a user")
            .within(MAX_APPLICATIONS)
            .with(Trait.LEAF_ONLY);
    public static final QueueSetting<Integer> PRIORITY = text(
                    "priority",
                    ValueKind.count(0),
                    0,
                    "0",
                    "Priority among the siblings; counts if the order of the queue above is priority or fifo. A larger number"
                            + " comes first.")
            .words(priority -> priority == 0 ? "" : priority.toString());
    /** Name of the share order among its children: queues, or users in a leaf. */
    public static final QueueSetting<String> ORDER = order(
                    "order",
                    "drf",
                    "Share order of the queues inside, or of the users in a leaf queue: drf (dominant resource fairness),"
                            + " asset (the sum of the shares of all resource types), fair (memory only), priority (strict), fifo,"
                            + " sojourn (among applications: the one that would end first if all shared equally), lottery (at"
                            + " random, with weights as tickets), max-utilization (when all have their share, the one with the"
                            + " most even use of resources), or one from another jar.")
            .fair("schedulingPolicy")
            .with(Trait.FOR_NEW_QUEUES);
    /** Name of the order among the applications of one user of this leaf. */
    public static final QueueSetting<String> USER_ORDER = order(
                    "user-order",
                    "sojourn",
                    "Leaf queues only: share order of the applications of one user. sojourn: in the order in which they would"
                            + " end if all shared equally; drf: all share equally; fifo: one after the other.")
            .with(Trait.LEAF_ONLY, Trait.FOR_NEW_QUEUES);
    /** Whether the order of a leaf is applied to users or to applications. */
    public static final QueueSetting<QueueSpec.Division> DIVIDE_BY = text(
                    "divide-by",
                    DIVISION,
                    QueueSpec.Division.USERS,
                    "users",
                    "Leaf queues only: whether the order is applied to users, or to applications as in FairScheduler. With"
                            + " applications user-order has no effect.")
            .subject("")
            .with(Trait.LEAF_ONLY, Trait.FOR_NEW_QUEUES);

    public static final QueueSetting<Amounts> MAX_RESOURCES = amounts(
                    "max-resources", "no limit", "Maximum resources of the whole queue.")
            .subject("at most")
            .fair("maxResources")
            .withinAbove()
            .inShadow(any -> Amounts.UNLIMITED)
            .with(Trait.FOR_NEW_QUEUES);
    public static final QueueSetting<Amounts> MAX_RESOURCES_PER_USER = amounts(
                    "max-resources-per-user",
                    "no limit",
                    "Leaf queues only: maximum resources of one user in this queue.")
            .subject("each user at most")
            .within(MAX_RESOURCES)
            .inShadow(any -> Amounts.UNLIMITED)
            .with(Trait.LEAF_ONLY);
    public static final QueueSetting<Amounts> MAX_RESOURCES_PER_APPLICATION = amounts(
                    "max-resources-per-application",
                    "no limit",
                    "Leaf queues only: maximum resources of one application in this queue, its ApplicationMaster included.")
            .subject("each application at most")
            .within(MAX_RESOURCES)
            .inShadow(any -> Amounts.UNLIMITED)
            .with(Trait.LEAF_ONLY);
    /** Largest container that may be requested. It counts in shadow mode, because it decides what may be submitted. */
    public static final QueueSetting<Amounts> MAX_CONTAINER = amounts(
                    "max-container-allocation",
                    "as the queue above; root: `yarn.scheduler.maximum-allocation-*`",
                    "Largest container that an application may request.")
            .subject("containers at most")
            .fair("maxContainerAllocation");

    public static final QueueSetting<Amounts> MAX_CHILD_RESOURCES = amounts(
                    "max-child-resources",
                    "as new-queues says",
                    "Maximum resources of each queue that is created inside this queue and is not configured.")
            .subject("queues created inside at most")
            .fair("maxChildResources")
            .inShadow(any -> Amounts.UNLIMITED);
    public static final QueueSetting<Integer> MAX_NEW_QUEUE_LEVELS = limit(
                    "max-new-queue-levels",
                    "How many levels of queues placement may create inside this queue, those inside a new queue included;"
                            + " 0: none.")
            .subject("levels of new queues")
            .inShadow(most -> most);
    /** How its resources are reserved ahead of time; such a queue is a parent. */
    public static final QueueSetting<Optional<Plan>> PLAN =
            own("plan", Optional.<Plan>empty()).fair("reservation");

    public static final QueueSetting<Integer> MAX_RUNNING_APPS = limit(
                    "max-running-apps",
                    "Maximum number of running applications in this queue and in all queues inside it.")
            .subject("applications")
            .fair("maxRunningApps")
            .withinAbove()
            .with(Trait.FOR_NEW_QUEUES);
    public static final QueueSetting<Integer> MAX_RUNNING_APPS_PER_USER = limit(
                    "max-running-apps-per-user",
                    "Leaf queues only: maximum number of running applications of one user in this queue.")
            .subject("applications of a user")
            .within(MAX_RUNNING_APPS)
            .with(Trait.LEAF_ONLY);
    /** Part of the queue's resources, 0 to 1, or {@link QueueSpec#UNLIMITED_AM_SHARE}. */
    public static final QueueSetting<Double> MAX_AM_SHARE = text(
                    "max-am-share",
                    AM_SHARE,
                    0.5,
                    "50%",
                    "Leaf queues only: maximum part of the queue's share that ApplicationMasters may use. The first"
                            + " ApplicationMaster always starts; others also while no task of the queue waits, up to half of the"
                            + " rest of the share. 100% or unlimited for no limit.")
            .text(part -> Double.isInfinite(part) ? "unlimited" : Words.plain(part))
            .words(part -> part < 1 ? Words.percent(part) : "")
            .subject("ApplicationMasters at most")
            .fair("maxAMShare")
            .inShadow(any -> QueueSpec.UNLIMITED_AM_SHARE)
            .with(Trait.LEAF_ONLY, Trait.FOR_NEW_QUEUES);
    /** Part of the queue's capacity, or {@link QueueSpec#UNLIMITED_AM_SHARE}. */
    public static final QueueSetting<Double> MAX_AM_SHARE_PER_USER = amShare(
                    "max-am-share-per-user",
                    "no limit",
                    "Leaf queues only: maximum part of the queue's capacity, which is what its weight gives it when all queues"
                            + " are busy, that the ApplicationMasters of one user may use. The first one of the queue always"
                            + " starts.")
            .subject("ApplicationMasters of a user at most");
    /** Part of the queue's capacity; no more than {@link #MAX_AM_SHARE_PER_USER}, which counts if it is absent. */
    public static final QueueSetting<Double> MIN_AM_SHARE_PER_USER = amShare(
                    "min-am-share-per-user",
                    "as max-am-share-per-user",
                    "Leaf queues only: users who wait for containers divide max-am-share-per-user evenly, but each may use at"
                            + " least this part.")
            .subject("ApplicationMasters of each of many users at most");
    /** Who may give applications which priority, the lowest first; empty: everyone may give any. */
    public static final QueueSetting<List<PriorityLimit>> PRIORITIES = own(
                    "max-application-priority", List.<PriorityLimit>of())
            .kept(limits -> limits.stream()
                    .sorted(Comparator.comparingInt(PriorityLimit::most))
                    .toList())
            .with(Trait.LEAF_ONLY);

    public static final QueueSetting<Long> MAX_APPLICATION_LIFETIME = text(
                    "max-application-lifetime",
                    LIFETIME,
                    Lifetime.UNLIMITED,
                    "as the queue above; root: unlimited",
                    "Maximum lifetime of an application, even if the application asks for a longer one; then it is killed.")
            .text(millis -> Words.time(millis, "unlimited"))
            .words(QueueSettings::lifetimeWords)
            .subject("lifetime")
            .with(Trait.INHERITED)
            .withinAbove();
    public static final QueueSetting<Long> DEFAULT_APPLICATION_LIFETIME = text(
                    "default-application-lifetime",
                    LIFETIME,
                    Lifetime.UNLIMITED,
                    "as the queue above, or max-application-lifetime if that is shorter",
                    "Lifetime of an application that asks for none.")
            .text(millis -> Words.time(millis, "unlimited"))
            .words(QueueSettings::lifetimeWords)
            .subject("default lifetime")
            .with(Trait.INHERITED)
            .within(MAX_APPLICATION_LIFETIME);
    /** Which partitions its applications may use; {@code *} for all. */
    public static final QueueSetting<Set<String>> NODE_LABELS = text(
                    "node-labels",
                    LABELS,
                    Set.of("*"),
                    "as the queue above; root: *",
                    "Node labels that applications may request; every application may use nodes without a label.")
            .kept(Set::copyOf)
            .text(labels -> String.join(",", new TreeSet<>(labels)))
            .words(labels -> labels.contains("*") ? "" : String.join(" ", new TreeSet<>(labels)))
            .subject("labels")
            .with(Trait.INHERITED);

    public static final QueueSetting<String> DEFAULT_NODE_LABEL = text(
                    "default-node-label",
                    new ValueKind<>("a node label, or nothing", text -> text),
                    "",
                    "as the queue above; root: none",
                    "The node label of requests that name no label.")
            .words(label -> label)
            .subject("default label")
            .with(Trait.INHERITED);
    /** By label, what the queue gets of the nodes with it. */
    public static final QueueSetting<Map<String, LabelCapacity>> LABEL_CAPACITIES = own(
                    "node-label", Map.<String, LabelCapacity>of())
            .kept(Map::copyOf)
            .inShadow(capacities -> capacities.entrySet().stream()
                    .collect(Collectors.toMap(
                            Map.Entry::getKey,
                            each -> new LabelCapacity(each.getValue().guaranteed(), Amounts.UNLIMITED))));

    public static final QueueSetting<Amounts> GUARANTEED_RESOURCES = amounts(
                    "guaranteed-resources",
                    "nothing",
                    "Resources that the queue gets before shares count, and that are never preempted. The guarantee is met"
                            + " when the queue has the guaranteed amount of one of these resource types.")
            .subject("guaranteed")
            .fair("minResources")
            .within(MAX_RESOURCES);
    public static final QueueSetting<Boolean> ALLOW_PREEMPTION_FROM = text(
                    "allow-preemption-from",
                    ValueKind.TRUE_OR_FALSE,
                    USUAL.revocable(),
                    "as the queue above; root: true",
                    "Whether containers of this queue and of all queues inside it may be preempted.")
            .words(allowed -> allowed ? "" : "never from it")
            .subject("preemption")
            .fair("allowPreemptionFrom")
            .with(Trait.INHERITED);
    public static final QueueSetting<Long> GUARANTEE_PREEMPTION_TIMEOUT = text(
                    "guarantee-preemption-timeout",
                    TIMEOUT,
                    USUAL.belowGuaranteeMillis(),
                    "as the queue above; root: 15s",
                    "How long the queue may be below its guarantee, with requests, before containers of other queues are"
                            + " preempted for it.")
            .text(millis -> Words.time(millis, "never"))
            .subject("")
            .fair("minSharePreemptionTimeout")
            .with(Trait.INHERITED);
    public static final QueueSetting<Long> FAIR_SHARE_PREEMPTION_TIMEOUT = text(
                    "fair-share-preemption-timeout",
                    TIMEOUT,
                    USUAL.belowShareMillis(),
                    "as the queue above; root: 30s",
                    "How long the queue, or one of its users, may be below fair-share-preemption-threshold, with requests,"
                            + " before containers of others are preempted for it.")
            .text(millis -> Words.time(millis, "never"))
            .subject("")
            .fair("fairSharePreemptionTimeout")
            .with(Trait.INHERITED);
    /** Negative where it is that of the queue. */
    public static final QueueSetting<Long> USER_PREEMPTION_TIMEOUT = text(
                    "user-preemption-timeout",
                    TIMEOUT,
                    -1L,
                    "as fair-share-preemption-timeout",
                    "Leaf queues only: how long one of its users may be below fair-share-preemption-threshold, with"
                            + " requests, before containers of others are preempted for it.")
            .text(millis -> Words.time(millis, "never"))
            .words(millis -> millis < 0 ? "" : Words.time(millis, "never"))
            .subject("preemption for a user after")
            .with(Trait.LEAF_ONLY);

    public static final QueueSetting<Double> FAIR_SHARE_PREEMPTION_THRESHOLD = text(
                    "fair-share-preemption-threshold",
                    ValueKind.FRACTION,
                    USUAL.threshold(),
                    "as the queue above; root: 90%",
                    "The queue, or one of its users, is starved if it has less than this part of its fair share.")
            .subject("")
            .fair("fairSharePreemptionThreshold")
            .with(Trait.INHERITED);
    public static final QueueSetting<Double> FAIR_SHARE_PREEMPTION_TARGET = text(
                    "fair-share-preemption-target",
                    ValueKind.FRACTION,
                    USUAL.restored(),
                    "as the queue above; root: 100%",
                    "Containers are then preempted until it has this part of its fair share; if"
                            + " fair-share-preemption-threshold is larger, that counts.")
            .subject("")
            .with(Trait.INHERITED);
    /** Users who may submit applications to this queue; everyone to the root of a file that does not say it. */
    public static final QueueSetting<AccessList> SUBMIT = people(
                    "submit",
                    "root: everyone; other queues: only users that the queues above admit",
                    "Users who may submit applications to this queue and to all queues inside it; an empty element names"
                            + " nobody.")
            .fair("aclSubmitApps");
    /** Users who may administer this queue, and submit to it. */
    public static final QueueSetting<AccessList> ADMINISTER = people(
                    "administer",
                    "only users that the queues above admit",
                    "Users who may administer this queue and all queues inside it, and submit to them. YARN's administrators"
                            + " always may.")
            .fair("aclAdministerApps");
    /** Weights of named users in this leaf; all others have {@link Weights#ONE}. */
    public static final QueueSetting<Map<String, Weights>> USER_WEIGHTS =
            own("user", Map.<String, Weights>of()).kept(Map::copyOf).with(Trait.LEAF_ONLY);

    /** All of them. */
    public static final List<QueueSetting<?>> ALL = List.copyOf(DEFINED);

    private QueueSettings() {}

    private static <T> QueueSetting<T> defined(QueueSetting<T> setting) {
        DEFINED.add(setting);
        return setting;
    }

    private static <T> QueueSetting<T> text(String name, ValueKind<T> kind, T fallback, String absent, String doc) {
        return defined(new QueueSetting<>(name, Form.TEXT, kind, fallback, absent, doc));
    }

    /** A maximum number; {@code Integer.MAX_VALUE} for no limit. */
    private static QueueSetting<Integer> limit(String name, String doc) {
        return text(name, ValueKind.count(0), Integer.MAX_VALUE, "no limit", doc)
                .words(most -> most == Integer.MAX_VALUE ? "" : "at most " + most)
                .inShadow(any -> Integer.MAX_VALUE);
    }

    private static QueueSetting<Double> amShare(String name, String absent, String doc) {
        ValueKind<Double> kind = new ValueKind<>(
                "unlimited, or a part such as 0.1 or 10%, which may be more than 1",
                text -> text.equals("unlimited") ? QueueSpec.UNLIMITED_AM_SHARE : part(text));
        return text(name, kind, QueueSpec.UNLIMITED_AM_SHARE, absent, doc)
                .text(part -> Double.isInfinite(part) ? "unlimited" : Words.plain(part))
                .words(part -> Double.isInfinite(part) ? "" : Words.percent(part))
                .inShadow(any -> QueueSpec.UNLIMITED_AM_SHARE)
                .with(Trait.LEAF_ONLY);
    }

    private static double part(String text) {
        boolean percent = text.endsWith("%");
        double part = ValueKind.WEIGHT.parse(percent ? text.substring(0, text.length() - 1) : text);
        return percent ? part / 100 : part;
    }

    private static QueueSetting<String> order(String name, String fallback, String doc) {
        ValueKind<String> kind = new ValueKind<>("the name of a share order", text -> text);
        return defined(new QueueSetting<>(name, Form.ORDER, kind, fallback, fallback, doc))
                .subject("");
    }

    private static QueueSetting<Amounts> amounts(String name, String absent, String doc) {
        return defined(new QueueSetting<>(name, Form.AMOUNTS, null, Amounts.UNLIMITED, absent, doc))
                .words(Words::amounts);
    }

    private static QueueSetting<AccessList> people(String name, String absent, String doc) {
        return defined(new QueueSetting<>(name, Form.PEOPLE, null, AccessList.NOBODY, absent, doc))
                .words(Words::people);
    }

    /** The schema has its elements and what they mean. */
    private static <T> QueueSetting<T> own(String name, T fallback) {
        return defined(new QueueSetting<>(name, Form.OWN, null, fallback, "", ""))
                .subject("");
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

    private static String lifetimeWords(long millis) {
        return millis == Lifetime.UNLIMITED ? "" : Words.millis(millis);
    }
}
