// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.io;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.JobCommand;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.RuntimeModel;
import org.jspecify.annotations.Nullable;

/** Problems in files; format version 1, described by {@code problem.schema.json} beside this class. */
public final class ProblemFile {
    /** The only version. A file without a version is read as version 1. */
    public static final int VERSION = 1;

    /** The largest overcommit penalty. */
    public static final double MOST_ALPHA = 1_000;

    private static final int MOST_SLOTS = 2_000_000;
    private static final long MOST_CELLS = 40_000_000;
    private static final Set<String> FIELDS = Set.of("version", "id", "P", "k", "r", "alpha", "jobs", "unknown");
    private static final Set<String> JOB_FIELDS = Set.of("name", "a", "b", "offset", "model", "cpu", "io", "run");

    private ProblemFile() {}

    /**
     * A problem and the warnings about its file.
     *
     * @param warnings fields that were ignored, each with its path
     */
    public record Loaded(Problem problem, List<String> warnings) {}

    /** Reads a file; "-" is standard input. */
    public static Loaded read(Path file, InputStream standardInput) {
        return read(file.toString(), Documents.read(file, standardInput));
    }

    /** Reads a text in JSON or YAML. */
    public static Loaded parse(String name, String text) {
        return read(name, Documents.parse(name, text));
    }

    static Loaded read(String name, JsonNode tree) {
        if (tree.has("phases") && !tree.has("jobs")) {
            throw new InvalidInputException(name, List.of("is a plan; a problem is wanted here (its \"jobs\")"));
        }
        DocumentNode root = DocumentNode.root(tree);
        Problem problem = problem(root);
        if (problem == null || !root.violations().isEmpty()) {
            throw new InvalidInputException(name, root.violations());
        }
        return new Loaded(problem, List.copyOf(root.warnings()));
    }

    static @Nullable Problem problem(DocumentNode root) {
        if (!root.object(FIELDS)) {
            return null;
        }
        DocumentNode version = root.get("version");
        if (version.isPresent() && version.whole(1, Integer.MAX_VALUE, "a whole number") != VERSION) {
            version.refuse("is unknown; this program reads version " + VERSION);
            return null;
        }
        String id = root.get("id").isPresent() ? root.get("id").name() : "unnamed";
        int machines = root.get("P").whole(1, MOST_SLOTS, "a whole number of machines from 1 to " + MOST_SLOTS);
        int disks = root.get("k").whole(1, 1_000, "a whole number of disks per machine from 1 to 1000");
        int ratio = root.get("r").whole(1, Math.max(1, disks), "a whole number from 1 to k = " + disks);
        String tooLarge = tooLarge(machines, disks, 0);
        if (tooLarge != null) {
            root.get("P").refuse(tooLarge);
        }
        List<Job> jobs = jobs(root.get("jobs"), machines, disks);
        Alpha alpha = alpha(root.get("alpha"), jobs);
        List<String> unknown = unknown(root.get("unknown"));
        return root.violations().isEmpty() ? new Problem(id, machines, disks, ratio, alpha, jobs, unknown) : null;
    }

    private static List<String> unknown(DocumentNode node) {
        return node.isPresent() ? node.items().stream().map(DocumentNode::name).toList() : List.of();
    }

    private static List<Job> jobs(DocumentNode node, int machines, int disks) {
        List<Job> jobs = new ArrayList<>();
        Set<String> names = new HashSet<>();
        List<DocumentNode> items = node.items();
        for (DocumentNode item : items) {
            if (item.object(JOB_FIELDS)) {
                Job job = job(item);
                if (!names.add(job.name())) {
                    item.get("name").refuse("\"" + job.name() + "\" is the name of an earlier job; names must differ");
                }
                jobs.add(job);
            }
        }
        if (node.violations().isEmpty() && items.isEmpty()) {
            node.refuse("must hold at least one job");
        }
        String tooLarge = tooLarge(machines, disks, items.size());
        if (tooLarge != null && tooLarge(machines, disks, 0) == null) {
            node.refuse(tooLarge);
        }
        return jobs;
    }

    /** Why a problem of this size cannot be planned; null if it can. */
    public static @Nullable String tooLarge(int machines, int disks, int jobs) {
        long slots = (long) machines * disks;
        if (slots > MOST_SLOTS) {
            return machines + " machines with " + disks + " disks are " + slots + " VMs: at most " + MOST_SLOTS;
        }
        if (slots * jobs > MOST_CELLS) {
            return jobs + " jobs on " + slots + " VMs: too many combinations, at most " + MOST_CELLS + " combinations";
        }
        return null;
    }

    private static Job job(DocumentNode item) {
        String name = item.get("name").name();
        DocumentNode model = item.get("model");
        RuntimeModel runtime;
        if (model.isPresent()) {
            if (item.get("a").isPresent() || item.get("b").isPresent()) {
                model.refuse("must not be given together with a and b");
            }
            runtime = ModelCodec.read(model);
        } else {
            runtime = ModelCodec.power(item);
        }
        return new Job(name, runtime, item.get("cpu").flag(), item.get("io").flag(), command(item.get("run")));
    }

    private static @Nullable JobCommand command(DocumentNode node) {
        if (!node.isPresent() || !node.object(Set.of("jar", "main", "args", "conf"))) {
            return null;
        }
        List<String> args = new ArrayList<>();
        if (node.get("args").isPresent()) {
            node.get("args").items().forEach(a -> args.add(a.text("a text")));
        }
        return new JobCommand(
                node.get("jar").text("the path of a jar"),
                node.get("main").optionalText("a class name"),
                args,
                node.get("conf").textMap());
    }

    private static Alpha alpha(DocumentNode node, List<Job> jobs) {
        if (!node.isObject()) {
            return new Alpha(factor(node));
        }
        node.object(Set.of("default", "pairs"));
        double constant = factor(node.get("default"));
        Map<Alpha.Pair, Double> measured = new HashMap<>();
        if (node.get("pairs").isPresent()) {
            for (DocumentNode item : node.get("pairs").items()) {
                if (item.object(Set.of("host", "extra", "alpha"))) {
                    Alpha.Pair pair = new Alpha.Pair(known(item.get("host"), jobs), known(item.get("extra"), jobs));
                    if (measured.put(pair, factor(item.get("alpha"))) != null) {
                        item.refuse("repeats host " + pair.host() + " with extra " + pair.extra());
                    }
                }
            }
        }
        return new Alpha(constant, measured);
    }

    private static String known(DocumentNode node, List<Job> jobs) {
        String name = node.text("the name of a job");
        if (!name.isEmpty() && jobs.stream().noneMatch(j -> j.name().equals(name))) {
            node.refuse("\"" + name + "\" is not the name of a job");
        }
        return name;
    }

    private static double factor(DocumentNode node) {
        return node.number(1, false, MOST_ALPHA, "a number from 1 to 1000 (1 = no penalty)");
    }

    /** The JSON form of a problem. */
    public static ObjectNode write(Problem problem) {
        ObjectNode root = Documents.json().createObjectNode();
        root.put("version", VERSION)
                .put("id", problem.id())
                .put("P", problem.machines())
                .put("k", problem.disks())
                .put("r", problem.ratio());
        if (problem.alpha().measured().isEmpty()) {
            root.put("alpha", problem.alpha().constant());
        } else {
            ObjectNode alpha =
                    root.putObject("alpha").put("default", problem.alpha().constant());
            ArrayNode pairs = alpha.putArray("pairs");
            problem.alpha().measured().entrySet().stream()
                    .sorted((x, y) -> x.getKey().toString().compareTo(y.getKey().toString()))
                    .forEach(e -> pairs.addObject()
                            .put("host", e.getKey().host())
                            .put("extra", e.getKey().extra())
                            .put("alpha", e.getValue()));
        }
        ArrayNode jobs = root.putArray("jobs");
        for (Job job : problem.jobs()) {
            ObjectNode node = jobs.addObject().put("name", job.name());
            ModelCodec.write(node, job.model());
            node.put("cpu", job.cpu()).put("io", job.io());
            JobCommand command = job.command();
            if (command != null) {
                ObjectNode run = node.putObject("run").put("jar", command.jar());
                if (command.main() != null) {
                    run.put("main", command.main());
                }
                command.args().forEach(run.putArray("args")::add);
                ObjectNode conf = run.putObject("conf");
                command.conf().entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .forEach(e -> conf.put(e.getKey(), e.getValue()));
            }
        }
        if (!problem.unknown().isEmpty()) {
            problem.unknown().forEach(root.putArray("unknown")::add);
        }
        return root;
    }
}
