// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.heddle.scheduler.model.PlacementStep;
import org.heddle.scheduler.model.PlacementStep.Kind;
import org.heddle.scheduler.model.QueueSpec;
import org.jspecify.annotations.Nullable;

/** Reads {@code <placement>} and checks it against the queues. */
final class PlacementReader {
    static final List<PlacementStep> DEFAULT = List.of(
            new PlacementStep(Kind.SPECIFIED, Format.ROOT_QUEUE, ""),
            new PlacementStep(Kind.REJECT, Format.ROOT_QUEUE, ""));

    private static final Map<String, Kind> KINDS = Map.of(
            Format.SPECIFIED.name(), Kind.SPECIFIED,
            Format.USER_STEP.name(), Kind.USER,
            Format.GROUP_STEP.name(), Kind.PRIMARY_GROUP,
            Format.FIXED.name(), Kind.FIXED,
            Format.REJECT.name(), Kind.REJECT);

    private final Problems problems;
    private final Map<String, QueueSpec> queues;

    PlacementReader(Problems problems, QueueSpec root) {
        this.problems = problems;
        this.queues =
                root.all().collect(Collectors.toMap(QueueSpec::path, Function.identity(), (first, twin) -> first));
    }

    /** The steps; if the last of them can miss, a refusal is added behind it. */
    List<PlacementStep> read(XmlElement placement) {
        List<PlacementStep> steps = new ArrayList<>();
        XmlElement answersAlways = null;
        for (XmlElement element : placement.children()) {
            Kind kind = KINDS.get(element.name());
            if (kind == null) {
                continue;
            }
            if (answersAlways != null) {
                problems.add(
                        element.line(),
                        element.tag(),
                        "",
                        "is never reached, because " + answersAlways.tag() + " on line " + answersAlways.line()
                                + " answers always; remove it or move it up");
            }
            steps.add(new PlacementStep(kind, parent(element), fixed(element, kind)));
            if (kind == Kind.FIXED || kind == Kind.REJECT) {
                answersAlways = element;
            }
        }
        if (answersAlways == null) {
            steps.add(new PlacementStep(Kind.REJECT, Format.ROOT_QUEUE, ""));
        }
        return steps;
    }

    private String parent(XmlElement element) {
        String path = element.attribute("parent");
        if (path.isEmpty()) {
            return Format.ROOT_QUEUE;
        }
        QueueSpec queue = find(element, "parent", path);
        if (queue != null && queue.isLeaf()) {
            problems.add(
                    element.line(),
                    element.tag() + " parent",
                    path,
                    "is a leaf, so no queue can be found under it; name a queue that has queues inside");
        }
        return path;
    }

    private String fixed(XmlElement element, Kind kind) {
        String path = element.attribute("queue");
        if (kind != Kind.FIXED || path.isEmpty()) {
            return "";
        }
        QueueSpec queue = find(element, "queue", path);
        if (queue != null && !queue.isLeaf()) {
            problems.add(
                    element.line(),
                    element.tag() + " queue",
                    path,
                    "has queues inside and takes no applications; name a leaf");
        }
        return path;
    }

    private @Nullable QueueSpec find(XmlElement element, String attribute, String path) {
        QueueSpec queue = queues.get(path);
        if (queue == null) {
            problems.add(
                    element.line(),
                    element.tag() + " " + attribute,
                    path,
                    "is not a queue of this file; give a full path: " + Vocabulary.choices(path, queues.keySet()));
        }
        return queue;
    }
}
