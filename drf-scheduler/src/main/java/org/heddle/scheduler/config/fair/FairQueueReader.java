// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.fair;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.schema.ConfigSchema;
import org.heddle.scheduler.config.xml.ConfigNode;
import org.heddle.scheduler.config.xml.Problems;
import org.heddle.scheduler.model.AccessList;
import org.heddle.scheduler.model.Amounts;
import org.heddle.scheduler.model.QueueSetting;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.Weights;
import org.heddle.settings.ValueKind;
import org.jspecify.annotations.Nullable;

/** Reads {@code <queue>} and {@code <pool>} of {@code fair-scheduler.xml}, as FairScheduler's own parser does. */
final class FairQueueReader {
    /** Elements of a queue, in the order of FairScheduler's documentation. */
    static final List<String> ELEMENTS = List.of(
            "minResources",
            "maxResources",
            "maxContainerAllocation",
            "maxChildResources",
            "maxRunningApps",
            "maxAMShare",
            "weight",
            "schedulingPolicy",
            "schedulingMode",
            "aclSubmitApps",
            "aclAdministerApps",
            "aclAdministerReservations",
            "aclListReservations",
            "aclSubmitReservations",
            "minSharePreemptionTimeout",
            "fairSharePreemptionTimeout",
            "fairSharePreemptionThreshold",
            "allowPreemptionFrom",
            "reservation",
            "queue",
            "pool");

    private static final Map<String, QueueSetting<?>> SETTINGS = QueueSettings.ALL.stream()
            .filter(setting -> !setting.fair().isEmpty())
            .collect(Collectors.toMap(QueueSetting::fair, Function.identity()));
    /** FairScheduler reads no percentages of these. */
    private static final Set<QueueSetting<?>> ABSOLUTE =
            Set.of(QueueSettings.GUARANTEED_RESOURCES, QueueSettings.MAX_CONTAINER);

    private final FairAmount amounts;
    private final Problems problems;
    private final Set<String> leftOut = new HashSet<>();

    FairQueueReader(FairAmount amounts, Problems problems) {
        this.amounts = amounts;
        this.problems = problems;
    }

    /** All queues of a file as one tree; root exists even if the file does not name it. */
    FairQueueBuilder read(List<ConfigNode> queues) {
        FairQueueBuilder root = new FairQueueBuilder(ConfigSchema.ROOT_QUEUE, 0);
        for (ConfigNode element : queues) {
            String name = element.attribute("name");
            if (name.equalsIgnoreCase(ConfigSchema.ROOT_QUEUE)) {
                if (queues.size() > 1) {
                    problems.add(
                            element.line(),
                            element.tag() + " name",
                            name,
                            "must hold all other queues if it is configured; move those beside it inside");
                }
                if (!name.equals(ConfigSchema.ROOT_QUEUE)) {
                    problems.add(element.line(), element.tag() + " name", name, "must be written in small letters");
                }
                read(element, root);
            } else {
                readInside(element, root);
            }
        }
        return root;
    }

    private void readInside(ConfigNode element, FairQueueBuilder parent) {
        String name = trim(element.attributes().getOrDefault("name", ""));
        if (name.isEmpty()) {
            problems.add(
                    element.line(), element.tag() + " name", "", "must not be empty: every queue needs a name=\"...\"");
            return;
        }
        if (name.contains(".")) {
            problems.add(
                    element.line(),
                    element.tag() + " name",
                    name,
                    "must have no dot; write nested queues as nested elements");
            return;
        }
        if (parent.children.containsKey(name)) {
            problems.warn(
                    element.line(),
                    element.tag() + " name",
                    name,
                    "is configured a second time (first on line " + parent.child(name, 0).line
                            + "); both count together, and where they differ the later one");
        }
        read(element, parent.child(name, element.line()));
    }

    /** Without blanks around it, in the wider sense of Unicode. */
    static String trim(String name) {
        int start = 0;
        int end = name.length();
        while (start < end && isBlank(name.charAt(start))) {
            start++;
        }
        while (end > start && isBlank(name.charAt(end - 1))) {
            end--;
        }
        return name.substring(start, end);
    }

    private static boolean isBlank(char c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c) || c <= ' ';
    }

    private void read(ConfigNode element, FairQueueBuilder queue) {
        for (Map.Entry<String, String> attribute : element.attributes().entrySet()) {
            boolean known = attribute.getKey().equals("name")
                    || (attribute.getKey().equals("type")
                            && attribute.getValue().equals("parent"));
            if (!known) {
                problems.warn(
                        element.line(),
                        element.tag() + " " + attribute.getKey(),
                        attribute.getValue(),
                        "has no effect, as under FairScheduler: only name and type=\"parent\" have one");
            }
        }
        boolean nested = false;
        boolean planHere = false;
        for (ConfigNode field : element.children()) {
            switch (field.name()) {
                case "aclAdministerReservations" ->
                    queue.administerReservations = or(access(field), queue.administerReservations);
                case "aclListReservations" -> queue.listReservations = or(access(field), queue.listReservations);
                case "aclSubmitReservations" -> queue.submitReservations = or(access(field), queue.submitReservations);
                case "reservation" -> planHere = true;
                case "queue", "pool" -> {
                    nested = true;
                    readInside(field, queue);
                }
                case "schedulingMode" -> queue.policy = policy(field, true);
                default -> {
                    QueueSetting<?> setting = SETTINGS.get(field.name());
                    if (setting == null) {
                        problems.warn(field.line(), field.tag(), "", unknown(field, ELEMENTS));
                    } else {
                        read(field, setting, queue);
                    }
                }
            }
        }
        queue.parent |= "parent".equals(element.attributes().get("type"));
        boolean isParent = nested || queue.parent;
        boolean maxAmShareHere =
                element.children().stream().anyMatch(field -> field.name().equals(QueueSettings.MAX_AM_SHARE.fair()));
        refuseInParent(element, isParent && planHere, "reservation");
        refuseInParent(element, isParent && maxAmShareHere && !planHere, "maxAMShare");
        queue.plan |= planHere;
    }

    private void refuseInParent(ConfigNode element, boolean misplaced, String field) {
        if (misplaced) {
            problems.add(
                    element.line(),
                    element.tag() + " name",
                    element.attribute("name"),
                    "has queues inside it or is of type parent, so it must not have <" + field
                            + ">; move that to the leaves");
        }
    }

    static String unknown(ConfigNode field, List<String> known) {
        return "is not known here and has no effect, as under FairScheduler: "
                + KnownNames.choices(field.name(), known);
    }

    // ---- values ----

    private <T> void read(ConfigNode field, QueueSetting<T> setting, FairQueueBuilder queue) {
        T value = read(field, setting);
        if (setting.equals(QueueSettings.ORDER)) {
            queue.policy = (String) value;
        } else if (value != null) {
            queue.set(setting, value);
        }
    }

    /** The value of a queue's setting; null and a problem if it cannot be read. */
    @SuppressWarnings("unchecked") // the form and the default say which type it has
    <T> @Nullable T read(ConfigNode field, QueueSetting<T> setting) {
        T fallback = setting.fallback();
        Object value;
        if (setting.equals(QueueSettings.WEIGHT)) {
            Double weight = value(field, text -> ValueKind.WEIGHT.parse(plain(text)));
            value = weight == null ? null : Weights.of(weight);
        } else if (setting.equals(QueueSettings.MAX_AM_SHARE)) {
            value = amShare(field);
        } else if (setting.form() == QueueSetting.Form.ORDER) {
            value = policy(field, true);
        } else if (fallback instanceof Amounts) {
            value = ABSOLUTE.contains(setting) ? absoluteOnly(field) : amount(field);
        } else if (fallback instanceof AccessList) {
            value = access(field);
        } else if (fallback instanceof Integer) {
            value = count(field);
        } else if (fallback instanceof Long) {
            value = seconds(field);
        } else if (fallback instanceof Double) {
            value = threshold(field);
        } else {
            value = truth(field);
        }
        return (T) value;
    }

    static <T> T or(@Nullable T read, T otherwise) {
        return read == null ? otherwise : read;
    }

    private @Nullable Amounts amount(ConfigNode field) {
        return value(field, amounts::parse);
    }

    /** FairScheduler ignores percentages here without a message. */
    private Amounts absoluteOnly(ConfigNode field) {
        Amounts read = or(amount(field), Amounts.UNLIMITED);
        if (!read.fraction().isEmpty()) {
            problems.warn(
                    field.line(),
                    field.tag(),
                    field.text(),
                    "has no effect, as under FairScheduler, which takes no percentages here; give amounts");
            return Amounts.UNLIMITED;
        }
        return read;
    }

    /** A count; below 0 nothing may run, as under FairScheduler. */
    @Nullable
    Integer count(ConfigNode field) {
        Integer read = value(field, text -> {
            try {
                return Integer.valueOf(text);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("must be a whole number up to " + Integer.MAX_VALUE, e);
            }
        });
        if (read != null && read < 0) {
            problems.warn(
                    field.line(),
                    field.tag(),
                    field.text(),
                    "lets nothing run, as under FairScheduler; remove it for no limit");
            return 0;
        }
        return read;
    }

    private @Nullable Double amShare(ConfigNode field) {
        return value(field, text -> {
            double part = decimal(text, "must be a part from 0 to 1, or -1.0 for no limit");
            if (Math.abs(part + 1) < 0.0001) {
                return QueueSpec.UNLIMITED_AM_SHARE;
            }
            return Math.max(0, Math.min(1, part));
        });
    }

    private @Nullable Double threshold(ConfigNode field) {
        return value(field, text -> {
            double part = decimal(text, "must be a part from 0 to 1");
            double counted = Math.max(0, Math.min(1, part));
            if (part != counted) {
                problems.warn(
                        field.line(),
                        field.tag(),
                        field.text(),
                        "counts as " + (int) counted + ", as under FairScheduler; it is a part from 0 to 1");
            }
            return counted;
        });
    }

    private static double decimal(String text, String valid) {
        try {
            double value = Double.parseDouble(text);
            if (!Double.isFinite(value)) {
                throw new NumberFormatException();
            }
            return value;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(valid, e);
        }
    }

    /** Java's way of writing decimals ("2.", "1e3", "+2f") as ours. */
    private static String plain(String text) {
        try {
            return new java.math.BigDecimal(text.replaceAll("[dDfF]$", "")).toPlainString();
        } catch (NumberFormatException e) {
            return text;
        }
    }

    /** Seconds as milliseconds. Less than 0 means never; FairScheduler reads it as a time that has passed. */
    private @Nullable Long seconds(ConfigNode field) {
        return value(field, text -> {
            try {
                long seconds = Long.parseLong(text);
                if (seconds >= 0 && seconds <= 10L * 365 * 86_400) {
                    return seconds * 1000;
                }
                if (seconds < 0 || seconds == Long.MAX_VALUE / 1000 || seconds == Long.MAX_VALUE) {
                    return Long.MAX_VALUE;
                }
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("must be a whole number of seconds", e);
            }
            throw new IllegalArgumentException("must be a whole number of seconds, from 0 to 315360000 (ten years)");
        });
    }

    private boolean truth(ConfigNode field) {
        Boolean read = value(field, text -> {
            if (!text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false")) {
                problems.warn(field.line(), field.tag(), text, "counts as false, as under FairScheduler");
            }
            return text.equalsIgnoreCase("true");
        });
        return read == null || read;
    }

    /** The name of the share order for a policy; null and a problem if there is none. */
    @Nullable
    String policy(ConfigNode field, boolean fifoAllowed) {
        return value(field, text -> {
            String simple = text.substring(text.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
            String order = switch (simple) {
                case "fair", "fairsharepolicy" -> FairFileReader.FAIR;
                case "fifo", "fifopolicy" -> FairFileReader.FIFO;
                case "drf", "dominantresourcefairnesspolicy" -> FairFileReader.DRF;
                default ->
                    throw new IllegalArgumentException("must be fair, drf or fifo; other classes of policies cannot be"
                            + " used here, but heddle-scheduler.xml knows more share orders and takes new ones");
            };
            if (order.equals(FairFileReader.FIFO) && !fifoAllowed) {
                throw new IllegalArgumentException("must be fair or drf: fifo is for leaf queues");
            }
            return order;
        });
    }

    /** "users groups", each with commas between, one blank in the middle: what Hadoop's AccessControlList reads. */
    private @Nullable AccessList access(ConfigNode field) {
        String text = field.rawText();
        if (text.isEmpty()) {
            problems.add(
                    field.line(),
                    field.tag(),
                    "",
                    "must not be empty: write users and groups (\"alice,bob staff\"), * for everyone or one blank for"
                            + " nobody");
            return null;
        }
        String[] parts = text.split(" ", 2);
        if (Arrays.stream(parts).anyMatch(part -> part.strip().equals("*"))) {
            return AccessList.EVERYONE;
        }
        return new AccessList(false, names(parts[0]), parts.length > 1 ? names(parts[1]) : Set.of());
    }

    private static Set<String> names(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toSet());
    }

    <T> @Nullable T value(ConfigNode field, Function<String, T> parser) {
        if (field.text().isEmpty()) {
            problems.add(field.line(), field.tag(), "", "must not be empty; give a value or remove it");
            return null;
        }
        try {
            return parser.apply(field.text());
        } catch (IllegalArgumentException e) {
            problems.add(field.line(), field.tag(), field.text(), String.valueOf(e.getMessage()));
            return null;
        }
    }

    // ---- policies that FairScheduler does not allow together ----

    /**
     * Leaves out the queues that FairScheduler does not create, because their parent's policy does not allow theirs.
     */
    void leaveOutForbidden(FairQueueBuilder parent, FairQueueBuilder.Defaults defaults) {
        String policy = parent.policyOr(defaults);
        Iterator<FairQueueBuilder> each = parent.children.values().iterator();
        while (each.hasNext()) {
            FairQueueBuilder child = each.next();
            String why = forbidden(policy, child, child.policyOr(defaults));
            if (why == null) {
                leaveOutForbidden(child, defaults);
            } else {
                problems.warn(
                        child.line,
                        "queue " + child.path,
                        "",
                        "is left out with all inside it, as FairScheduler does: " + why);
                leftOut.add(child.path);
                parent.parent = true;
                each.remove();
            }
        }
    }

    /** Paths of the queues left out; FairScheduler does not create them for applications either. */
    Set<String> leftOut() {
        return leftOut;
    }

    private static @Nullable String forbidden(String above, FairQueueBuilder child, String policy) {
        if (above.equals(FairFileReader.FIFO)) {
            return "the policy fifo is for leaf queues, and the queue above has it";
        }
        if (above.equals(FairFileReader.FAIR) && policy.equals(FairFileReader.DRF)) {
            return "the policy drf may not stand under fair; give the queue above drf too";
        }
        return policy.equals(FairFileReader.FIFO) && child.isParent() ? "the policy fifo is for leaf queues" : null;
    }
}
