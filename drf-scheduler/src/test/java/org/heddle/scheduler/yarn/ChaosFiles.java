// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.read.SpecReader;
import org.heddle.scheduler.config.schema.ConfigSchema;
import org.heddle.scheduler.config.schema.ElementSchema;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.settings.ValueKind;
import org.jspecify.annotations.Nullable;

/**
 * The random files of {@link ChaosTest}: trees of queues with elements of every kind that the schema has, so a new
 * element needs a line here. The names of queues are few, so that a queue that has gone comes back.
 */
public final class ChaosFiles {
    private static final List<String> ORDERS =
            List.of("drf", "asset", "fair", "priority", "fifo", "sojourn", "lottery", "max-utilization");
    private static final List<String> AMOUNTS = List.of("0%", "20%", "50%", "100%", "4000", "20000");
    private static final List<String> COUNTS = List.of("0", "1", "2", "5", "100");
    private static final List<String> DURATIONS = List.of("0ms", "500ms", "1s", "5s", "20s");
    private static final List<String> PARTS = List.of("0", "20%", "50%", "100%");
    private static final List<String> TRUTH = List.of("true", "false");
    private static final List<String> TIMEOUTS = List.of("never", "0ms", "1s", "2s");
    private static final List<String> AM_SHARES = List.of("unlimited", "10%", "50%", "100%");
    private static final List<String> LIFETIMES = List.of("unlimited", "30min", "1h");
    private static final List<String> USERS = List.of("alice", "bob", "carol", "dave");

    /** Texts of elements, by {@code parent/name} where a name alone does not say it. */
    private static final Map<String, List<String>> TEXTS = Map.ofEntries(
            Map.entry("resource-weights/resource", List.of("0.5", "1", "2")),
            Map.entry("increment-allocation/resource", List.of("1", "100", "512")),
            Map.entry("resource", AMOUNTS),
            Map.entry("allocation", List.of("heartbeat", "immediate")),
            Map.entry("node-choice", List.of("spread", "pack", "random")),
            Map.entry("max-assign", List.of("1", "3", "100")),
            Map.entry("memory-only", List.of("false")), // a reload cannot change it
            Map.entry("usage-half-life", List.of("off", "1min", "1h")),
            Map.entry("mode", List.of("off", "dry-run", "on", "on")),
            Map.entry("max-per-second", List.of("1%", "50%", "100%")),
            Map.entry("application-masters", List.of("last", "never")),
            Map.entry("weight", List.of("0", "0.5", "1", "3")),
            Map.entry("state", List.of("running", "running", "stopped")),
            Map.entry("divide-by", List.of("users", "applications")),
            Map.entry("max-application-lifetime", LIFETIMES),
            Map.entry("default-application-lifetime", LIFETIMES),
            Map.entry("node-labels", List.of("*", "own", "own, lent")),
            Map.entry("default-node-label", List.of("", "own", "lent")),
            Map.entry(
                    "agent",
                    List.of(
                            "org.apache.hadoop.yarn.server.resourcemanager.reservation.planning.GreedyReservationAgent")),
            Map.entry(
                    "planner",
                    List.of(
                            "org.apache.hadoop.yarn.server.resourcemanager.reservation.planning.SimpleCapacityReplanner")),
            Map.entry(
                    "admission",
                    List.of("org.apache.hadoop.yarn.server.resourcemanager.reservation.NoOverCommitPolicy")),
            Map.entry("window", List.of("1h", "24h")),
            Map.entry("average", List.of("50%", "100%")),
            Map.entry("peak", List.of("50%", "100%")),
            Map.entry("enforcement-window", List.of("1h")),
            Map.entry("on-expiry", List.of("move", "kill")));

    /** Texts of the other elements, by their kind. */
    private static final Map<String, List<String>> KINDS = Map.of(
            ValueKind.count(0).what(), COUNTS,
            ValueKind.DURATION_MILLIS.what(), DURATIONS,
            ValueKind.FRACTION.what(), PARTS,
            ValueKind.TRUE_OR_FALSE.what(), TRUTH,
            QueueSettings.TIMEOUT.what(), TIMEOUTS,
            QueueSettings.MAX_AM_SHARE.kind().what(), AM_SHARES,
            QueueSettings.MAX_AM_SHARE_PER_USER.kind().what(), AM_SHARES,
            QueueSettings.ORDER.kind().what(), ORDERS);

    /** Attributes, by {@code name@attribute}, or {@code @attribute} where the element does not matter. */
    private static final Map<String, List<String>> ATTRIBUTES = Map.ofEntries(
            Map.entry("@version", List.of("1")),
            Map.entry("@compatibility", List.of("heddle", "capacity-scheduler", "fair-scheduler")),
            Map.entry("resource@name", List.of("memory-mb", "vcores")),
            Map.entry("@resource", List.of("memory-mb", "vcores")),
            Map.entry("user@name", USERS),
            Map.entry("node-label@name", List.of("own", "lent")),
            Map.entry("minimum-offer@mode", List.of("off", "automatic")),
            Map.entry("@largest-part", List.of("25%", "100%")),
            Map.entry("@applications", List.of("job", "job,report")),
            Map.entry("@unnamed", List.of("true", "false")),
            Map.entry("@missing", List.of("refuse", "pass", "create")),
            Map.entry("@parent", List.of("root", "root.a", "root.b")),
            Map.entry("fixed@queue", List.of("root.a.x", "root.b", "root.made")),
            Map.entry("queue@type", List.of("parent")),
            Map.entry("@users", List.of("*", "alice", "alice,bob,carol")),
            Map.entry("@groups", List.of("staff", "ops")),
            Map.entry("@default", List.of("0", "1")));

    /** Names of queues, by depth. */
    private static final List<List<String>> NAMES =
            List.of(List.of("a", "b", "c", "d"), List.of("x", "y"), List.of("z"));

    private static final SpecReader READER =
            new SpecReader(KnownNames.of(ORDERS, Map.of("memory-mb", "Mi", "vcores", "")));

    private final SplittableRandom random;
    private final List<String> modes;

    /** @param modes of allocation */
    public ChaosFiles(SplittableRandom random, List<String> modes) {
        this.random = random;
        this.modes = modes;
    }

    /** A file that can be read; one with applications may still be against it. */
    public String valid() {
        for (; ; ) {
            String file = any();
            try {
                READER.read("heddle-scheduler.xml", file.getBytes(StandardCharsets.UTF_8));
                return file;
            } catch (ConfigurationException e) {
                // the next one
            }
        }
    }

    /** A file that contradicts itself, is not complete or has something that no file may have. */
    String invalid() {
        String file = valid();
        return switch (random.nextInt(4)) {
            case 0 -> file.substring(0, random.nextInt(file.length() - 1));
            case 1 -> file.replaceFirst("<queue name=\"root\">", "$0<nonsense/>");
            case 2 -> file.replaceFirst("<queue name=\"root\">", "$0<queue name=\"twice\"/><queue name=\"twice\"/>");
            default -> file.replaceFirst("<queue name=\"root\">", "$0<max-running-apps>-1</max-running-apps>");
        };
    }

    private String any() {
        StringBuilder text = new StringBuilder("<heddle-scheduler version=\"1\"");
        if (random.nextInt(4) == 0) {
            text.append(" compatibility=\"").append(one("@compatibility")).append('"');
        }
        text.append("><allocation>").append(ChaosTest.some(modes, random)).append("</allocation>");
        for (ElementSchema element : Objects.requireNonNull(ConfigSchema.CHILDREN.get(ConfigSchema.FILE))) {
            if (!element.equals(ConfigSchema.QUEUE) && !element.name().equals("allocation") && random.nextInt(5) == 0) {
                text.append(element(element, "heddle-scheduler"));
            }
        }
        queue(text, ConfigSchema.ROOT_QUEUE, 0);
        return text.append("</heddle-scheduler>").toString();
    }

    private void queue(StringBuilder text, String name, int depth) {
        text.append("\n<queue name=\"").append(name).append("\">");
        List<String> below = new ArrayList<>();
        if (depth < NAMES.size() && (depth == 0 || random.nextInt(2) == 0)) {
            below.addAll(NAMES.get(depth));
            below.removeIf(any -> random.nextInt(4) == 0);
        }
        for (ElementSchema element : Objects.requireNonNull(ConfigSchema.CHILDREN.get(ConfigSchema.QUEUE))) {
            if (!element.equals(ConfigSchema.QUEUE) && random.nextInt(14) == 0) {
                text.append(element(element, "queue"));
            }
        }
        below.forEach(child -> queue(text, child, depth + 1));
        text.append("</queue>");
    }

    private String element(ElementSchema element, String parent) {
        StringBuilder text = new StringBuilder("<").append(element.name());
        for (ElementSchema.Attribute attribute : element.attributes()) {
            if (attribute.required() || random.nextInt(3) == 0) {
                text.append(' ').append(attribute.name()).append("=\"");
                text.append(one(element.name() + "@" + attribute.name())).append('"');
            }
        }
        text.append('>');
        if (element.text() != null) {
            text.append(text(parent + "/" + element.name(), element.text()));
        }
        for (ElementSchema inside : ConfigSchema.CHILDREN.getOrDefault(element, List.of())) {
            boolean step = element.repeats() && inside.repeats(); // placement steps inside each other have no end
            if (random.nextInt(step ? 10 : inside.repeats() ? 2 : 4) == 0) {
                text.append(element(inside, element.name()));
            }
        }
        return text.append("</").append(element.name()).append('>').toString();
    }

    private String text(String place, String kind) {
        List<String> texts = TEXTS.getOrDefault(place, TEXTS.get(place.replaceFirst(".*/", "")));
        return some(texts == null ? KINDS.get(kind) : texts, place);
    }

    private String one(String place) {
        List<String> values = ATTRIBUTES.get(place);
        return some(values == null ? ATTRIBUTES.get(place.replaceFirst(".*@", "@")) : values, place);
    }

    private String some(@Nullable List<String> values, String place) {
        return ChaosTest.some(Objects.requireNonNull(values, () -> "ChaosFiles knows no value for " + place), random);
    }
}
