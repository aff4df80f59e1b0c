// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.heddle.scheduler.model.ClusterRules;
import org.heddle.scheduler.model.PlacementCondition;
import org.heddle.scheduler.model.PlacementStep;
import org.heddle.scheduler.model.PreemptionSettings;
import org.heddle.scheduler.model.QueuePreemptionSettings;
import org.heddle.scheduler.model.QueueSetting;
import org.heddle.scheduler.model.QueueSetting.Form;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.model.Words;

/** A summary of a specification: only the settings that differ from the default. */
final class SpecSummary {
    private final SchedulerSpec spec;

    SpecSummary(SchedulerSpec spec) {
        this.spec = spec;
    }

    void print(PrintWriter out) {
        out.println("queues: " + queues(spec.root()) + ", of which " + leaves(spec.root()) + " are leaf queues");
        print(out, spec.root(), 1);
        out.println("placement: the first step that finds a queue counts");
        int number = 1;
        for (PlacementStep step : spec.placement()) {
            out.println("  " + number++ + ". " + words(step));
        }
        out.println("preemption: " + preemption());
        for (String rule : rules()) {
            out.println("also: " + rule);
        }
    }

    private void print(PrintWriter out, QueueSpec queue, int depth) {
        StringJoiner text = new StringJoiner(", ");
        facts(queue).forEach((name, value) -> text.add(name + " " + value));
        out.printf(
                Locale.ROOT, "%s%-" + Math.max(1, 30 - 2 * depth) + "s %s%n", "  ".repeat(depth), queue.name(), text);
        queue.children().forEach(child -> print(out, child, depth + 1));
    }

    /** The settings of a queue by subject. */
    private Map<String, String> facts(QueueSpec queue) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("weight", Words.weights(queue.weights()));
        String order = queue.order();
        if (queue.isLeaf() && queue.get(QueueSettings.DIVIDE_BY) == QueueSpec.Division.USERS) {
            order += " among users, " + queue.userOrder() + " within";
        }
        facts.put("order", order);
        putAll(facts, queue, Set.of(Form.AMOUNTS), false);
        put(
                facts,
                "priorities at most",
                queue.get(QueueSettings.PRIORITIES).stream()
                        .map(limit -> limit.most() + " for " + Words.people(limit.who()))
                        .collect(Collectors.joining("; ")));
        putAll(facts, queue, Set.of(Form.TEXT, Form.ORDER), false);
        putAll(facts, queue, Set.of(Form.PEOPLE), false);
        StringJoiner users = new StringJoiner(" ");
        new TreeMap<>(queue.userWeights()).forEach((user, weight) -> users.add(user + "=" + Words.weights(weight)));
        put(facts, "weights of users", users.toString());
        putAll(facts, queue, Set.of(Form.values()), true);
        new TreeMap<>(queue.get(QueueSettings.LABEL_CAPACITIES)).forEach((label, capacity) -> {
            String nodes = "nodes with label " + label;
            put(facts, "guaranteed on " + nodes, Words.amounts(capacity.guaranteed()));
            put(facts, "at most on " + nodes, Words.amounts(capacity.max()));
        });
        if (spec.preemption().mode() != PreemptionSettings.Mode.OFF) {
            put(facts, "preemption for it", preemptionFor(queue.protection()));
        }
        if (queue.isPlan()) {
            facts.put("reservations", "yes");
        }
        return facts;
    }

    /** Settings with a subject of their own. */
    private static void putAll(Map<String, String> facts, QueueSpec queue, Set<Form> forms, boolean inherited) {
        QueueSettings.ALL.stream()
                .filter(setting -> !setting.subject().isEmpty()
                        && forms.contains(setting.form())
                        && setting.is(QueueSetting.Trait.INHERITED) == inherited
                        && (queue.isLeaf() || !setting.is(QueueSetting.Trait.LEAF_ONLY)))
                .forEach(setting -> put(facts, setting.subject(), words(setting, queue)));
    }

    private static <T> String words(QueueSetting<T> setting, QueueSpec queue) {
        return setting.words(queue.get(setting));
    }

    /** Empty if it is the default, or never. */
    private static String preemptionFor(QueuePreemptionSettings own) {
        StringJoiner text = new StringJoiner(" and ");
        if (!own.guaranteed().isUnlimited()
                && own.belowGuaranteeMillis() != QueuePreemptionSettings.NEVER
                && own.belowGuaranteeMillis() != QueuePreemptionSettings.DEFAULT.belowGuaranteeMillis()) {
            text.add("after " + Words.millis(own.belowGuaranteeMillis()) + " below its guarantee");
        }
        boolean further = own.restored() < 1 && own.restored() > own.threshold();
        String target = further ? ", up to " + Words.percent(own.restored()) : "";
        if (own.belowShareMillis() != QueuePreemptionSettings.NEVER
                && (own.belowShareMillis() != QueuePreemptionSettings.DEFAULT.belowShareMillis()
                        || own.threshold() != QueuePreemptionSettings.DEFAULT.threshold()
                        || further)) {
            text.add("after " + Words.millis(own.belowShareMillis()) + " below " + Words.percent(own.threshold())
                    + " of its fair share" + target);
        }
        return text.toString();
    }

    private static void put(Map<String, String> facts, String name, String value) {
        if (!value.isEmpty()) {
            facts.put(name, value);
        }
    }

    private static long queues(QueueSpec root) {
        return root.all().count();
    }

    private static long leaves(QueueSpec root) {
        return root.all().filter(QueueSpec::isLeaf).count();
    }

    private static String found(PlacementStep step) {
        return switch (step.kind()) {
            case SPECIFIED -> "the queue named at submission";
            case USER -> "a queue named after the user";
            case PRIMARY_GROUP -> "a queue named after the user's primary group";
            case SECONDARY_GROUP -> "a queue named after one of the user's other groups";
            case FIXED -> "queue " + step.queue();
            case REJECT -> "the application is refused";
        };
    }

    private static String words(PlacementStep step) {
        return applications(step.condition()) + outcome(step);
    }

    /** For whom a step is tried, with a colon; empty for everyone. */
    private static String applications(PlacementCondition condition) {
        List<String> words = new ArrayList<>();
        one(words, "users", condition.users());
        one(words, "users in the groups", condition.groups());
        one(words, "applications of the name", condition.applications());
        if (condition.unnamed()) {
            words.add("submissions that name no queue");
        }
        return words.isEmpty() ? "" : String.join(", ", words) + ": ";
    }

    private static void one(List<String> words, String what, Set<String> names) {
        if (!names.isEmpty()) {
            words.add(what + " " + String.join(",", new TreeSet<>(names)));
        }
    }

    private static String outcome(PlacementStep step) {
        if (step.kind() == PlacementStep.Kind.REJECT) {
            return found(step);
        }
        PlacementStep under = step.under();
        String where = "";
        if (under != null) {
            where = ", below " + found(under)
                    + switch (under.missing()) {
                        case REFUSE -> " (the application is refused if there is no such queue)";
                        case PASS -> " (which must exist, or the next step is tried)";
                        case CREATE -> " (which is created if there is none)";
                    };
        } else if (step.kind() != PlacementStep.Kind.SPECIFIED && step.kind() != PlacementStep.Kind.FIXED) {
            where = ", below " + step.parent();
        }
        return found(step)
                + where
                + switch (step.missing()) {
                    case REFUSE -> "; if it does not exist, the application is refused";
                    case PASS -> "; if it does not exist, the next step";
                    case CREATE -> "; if it does not exist, it is created";
                };
    }

    private String preemption() {
        PreemptionSettings preemption = spec.preemption();
        if (preemption.mode() == PreemptionSettings.Mode.OFF) {
            return "off";
        }
        String from = "";
        if (preemption.minUtilization() > 0) {
            from = "once " + Words.percent(preemption.minUtilization()) + " of the cluster is in use, ";
        }
        return (preemption.mode() == PreemptionSettings.Mode.DRY_RUN ? "dry run (only reported)" : "on") + ", "
                + Words.millis(preemption.graceMillis()) + " between notice and kill, at most "
                + Words.percent(preemption.maxPerSecond()) + " of the cluster a second, "
                + from
                + (preemption.masters() ? "ApplicationMasters last" : "never ApplicationMasters");
    }

    private List<String> rules() {
        ClusterRules rules = spec.rules();
        List<String> all = new ArrayList<>();
        if (rules.newQueues() != null) {
            String most = Words.amounts(rules.newQueues().template().maxResources());
            all.add("placement creates queues that are not configured; they are removed when they are empty"
                    + (most.isEmpty() ? "" : "; where nothing else is said, each may hold at most " + most));
        }
        rules.maxRunningAppsOfUser()
                .forEach((user, most) -> all.add("user " + user + " runs at most " + most + " applications"));
        if (rules.maxRunningAppsPerUser() != Integer.MAX_VALUE) {
            all.add("every other user runs at most " + rules.maxRunningAppsPerUser() + " applications");
        }
        if (rules.memoryOnly()) {
            all.add("containers take up memory alone: vcores and other resources of nodes bound nothing");
        }
        if (rules.weighBySize()) {
            all.add("applications weigh by their size");
        }
        if (rules.usageHalfLifeMillis() > 0) {
            all.add("past usage counts; that of " + rules.usageHalfLifeMillis() / 1000 + " s ago counts half");
        }
        if (!spec.resourceWeights().isEmpty()) {
            all.add("resources count " + new TreeMap<>(spec.resourceWeights()) + " in shares");
        }
        if (spec.maxAssign() != Integer.MAX_VALUE) {
            all.add("a node heartbeat places at most " + spec.maxAssign()
                    + (spec.maxAssign() == 1 ? " container" : " containers"));
        }
        return all;
    }

    /** For {@link Json}. */
    Map<String, Object> asMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        List<Object> queues = new ArrayList<>();
        spec.root().all().forEach(queue -> {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("path", queue.path());
            one.put("leaf", queue.isLeaf());
            facts(queue).forEach((name, value) -> one.put(name.replace(' ', '-'), value));
            queues.add(one);
        });
        map.put("queues", queues);
        map.put("placement", spec.placement().stream().map(SpecSummary::words).toList());
        map.put(
                "preemption",
                Map.of(
                        "mode",
                        spec.preemption().mode().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                        "text",
                        preemption()));
        map.put("rules", rules());
        return map;
    }
}
