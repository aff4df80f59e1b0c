// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.io;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.heddle.packing.model.ErnestModel;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.RuntimeModel;
import org.heddle.packing.model.TaskModel;
import org.heddle.packing.model.WaveModel;

/** Run time models in files: a type and its numbers. A new model needs one branch here and one in the schema. */
final class ModelCodec {
    private static final double MOST_SECONDS = 1e12;

    private ModelCodec() {}

    static RuntimeModel read(DocumentNode node) {
        if (!node.isObject()) {
            node.object(Set.of());
            return new PowerModel(1, 0);
        }
        String type = node.get("type").text("power, ernest, waves or tasks");
        return switch (type) {
            case "power" -> {
                node.object(Set.of("type", "a", "b", "offset"));
                yield power(node);
            }
            case "ernest" -> ernest(node);
            case "waves" -> waves(node);
            case "tasks" -> tasks(node);
            default -> {
                if (!type.isEmpty()) {
                    node.get("type").refuse("must be power, ernest, waves or tasks, is \"" + type + "\"");
                }
                yield new PowerModel(1, 0);
            }
        };
    }

    static PowerModel power(DocumentNode node) {
        return new PowerModel(
                node.get("a").number(0, true, MOST_SECONDS, "a number of seconds > 0"),
                node.get("b").number(-20, false, 0, "a number from -20 to 0 (more VMs never slow a job down)"),
                offset(node));
    }

    private static double offset(DocumentNode node) {
        DocumentNode offset = node.get("offset");
        return offset.isPresent() ? offset.number(0, false, MOST_SECONDS, "a number of seconds >= 0") : 0;
    }

    private static RuntimeModel ernest(DocumentNode node) {
        node.object(Set.of("type", "theta"));
        List<DocumentNode> terms = node.get("theta").items();
        if (terms.size() != 4) {
            node.get("theta").refuse("must hold the 4 terms fixed, work, tree, perVm, holds " + terms.size());
            return new ErnestModel(1, 0, 0, 0);
        }
        double[] theta = terms.stream()
                .mapToDouble(t -> t.number(0, false, MOST_SECONDS, "a number of seconds >= 0"))
                .toArray();
        if (theta[0] + theta[1] + theta[3] <= 0) {
            node.get("theta").refuse("must have a term > 0 beside the third: the job takes time on 1 VM too");
            return new ErnestModel(1, 0, 0, 0);
        }
        return new ErnestModel(theta[0], theta[1], theta[2], theta[3]);
    }

    private static RuntimeModel waves(DocumentNode node) {
        node.object(Set.of("type", "tasks", "taskSeconds", "offset"));
        return new WaveModel(
                node.get("tasks").whole(1, 1_000_000_000, "a whole number >= 1"),
                node.get("taskSeconds").number(0, true, MOST_SECONDS, "a number of seconds > 0"),
                offset(node));
    }

    private static RuntimeModel tasks(DocumentNode node) {
        node.object(Set.of("type", "stages", "atOnce", "offset"));
        List<TaskModel.Stage> stages = new ArrayList<>();
        for (DocumentNode item : node.get("stages").items()) {
            item.object(Set.of("seconds", "after"));
            stages.add(new TaskModel.Stage(seconds(item.get("seconds")), after(item.get("after"), stages.size())));
        }
        DocumentNode atOnce = node.get("atOnce");
        int slots = atOnce.isPresent() ? atOnce.whole(1, 1_000_000, "a whole number of tasks >= 1") : 1;
        double offset = offset(node);
        if (stages.stream().flatMap(stage -> stage.seconds().stream()).noneMatch(seconds -> seconds > 0)) {
            node.get("stages").refuse("must hold a task that takes time");
            return new PowerModel(1, 0);
        }
        return new TaskModel(stages, slots, offset);
    }

    private static List<Double> seconds(DocumentNode tasks) {
        return tasks.items().stream()
                .map(task -> task.number(0, false, MOST_SECONDS, "a number of seconds >= 0"))
                .toList();
    }

    /** What is no earlier stage is refused, and does not count here. */
    private static List<Integer> after(DocumentNode node, int place) {
        if (!node.isPresent()) {
            return List.of();
        }
        return node.items().stream()
                .map(before -> before.whole(0, place - 1, "the place of an earlier stage, from 0"))
                .filter(before -> before >= 0 && before < place)
                .toList();
    }

    static void write(ObjectNode job, RuntimeModel model) {
        if (model instanceof PowerModel power) {
            job.put("a", power.a()).put("b", power.b());
            if (power.offset() > 0) {
                job.put("offset", power.offset());
            }
        } else if (model instanceof ErnestModel e) {
            ObjectNode node = job.putObject("model").put("type", "ernest");
            node.putArray("theta").add(e.fixed()).add(e.work()).add(e.tree()).add(e.perVm());
        } else if (model instanceof WaveModel w) {
            job.putObject("model")
                    .put("type", "waves")
                    .put("tasks", w.tasks())
                    .put("taskSeconds", w.taskSeconds())
                    .put("offset", w.offset());
        } else if (model instanceof TaskModel t) {
            ObjectNode node = job.putObject("model").put("type", "tasks");
            ArrayNode stages = node.putArray("stages");
            for (TaskModel.Stage stage : t.stages()) {
                ObjectNode one = stages.addObject();
                ArrayNode seconds = one.putArray("seconds");
                stage.seconds().forEach(each -> seconds.add(round(each)));
                if (!stage.after().isEmpty()) {
                    stage.after().forEach(one.putArray("after")::add);
                }
            }
            if (t.atOnce() > 1) {
                node.put("atOnce", t.atOnce());
            }
            node.put("offset", round(t.offset()));
        } else {
            throw new IllegalArgumentException("model " + model.formula() + " has no file form");
        }
    }

    /** To milliseconds, as histories have them. */
    private static double round(double seconds) {
        return Math.round(1000 * seconds) / 1000.0;
    }
}
