// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.io;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Explanation;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.heddle.packing.model.Vm;
import org.jspecify.annotations.Nullable;

/**
 * Plans in files; format version 1, described by {@code plan.schema.json} beside this class. A plan file contains its
 * problem, so it can be checked, run and exported without other files.
 */
public final class PlanFile {
    /** The only version there is. */
    public static final int VERSION = 1;

    private static final Set<String> FIELDS = Set.of(
            "version",
            "planner",
            "kind",
            "makespan",
            "lowerBound",
            "gap",
            "bound",
            "optimal",
            "solveSeconds",
            "phases",
            "why",
            "problem");
    private static final Set<String> PHASE_FIELDS = Set.of("start", "seconds", "jobs");
    private static final Set<String> ASSIGNMENT_FIELDS =
            Set.of("job", "role", "vms", "start", "seconds", "fraction", "placement");

    private PlanFile() {}

    /** A plan and its problem. */
    public record Loaded(Problem problem, Plan plan, Claims claims, List<String> warnings) {}

    /**
     * What the file says of the quality of its plan.
     *
     * @param gap relative; NaN if the file does not say
     * @param optimal null if the file does not say
     */
    public record Claims(double gap, @Nullable Boolean optimal) {}

    /** The JSON form of a plan and its problem. */
    public static ObjectNode write(Problem problem, Plan plan, double solveSeconds) {
        ObjectNode root = Documents.json().createObjectNode();
        root.put("version", VERSION)
                .put("planner", plan.planner())
                .put("kind", plan.kind().key())
                .put("makespan", plan.makespan())
                .put("lowerBound", plan.lowerBound())
                .put("gap", plan.gap())
                .put("optimal", plan.gap() == 0)
                .put("bound", plan.bound())
                .put("solveSeconds", solveSeconds);
        ArrayNode phases = root.putArray("phases");
        for (Phase phase : plan.phases()) {
            ObjectNode node = phases.addObject().put("start", phase.start()).put("seconds", phase.seconds());
            ArrayNode jobs = node.putArray("jobs");
            for (Assignment assignment : phase.assignments()) {
                write(jobs.addObject(), assignment);
            }
        }
        ArrayNode why = root.putArray("why");
        for (Explanation explanation : plan.explanations()) {
            ObjectNode node = why.addObject().put("job", explanation.job()).put("text", explanation.text());
            if (!Double.isNaN(explanation.alternative())) {
                node.put("alternative", explanation.alternative());
            }
        }
        root.set("problem", ProblemFile.write(problem));
        return root;
    }

    private static void write(ObjectNode node, Assignment assignment) {
        node.put("job", assignment.job())
                .put("role", assignment.role().key())
                .put("vms", assignment.vms())
                .put("start", assignment.start())
                .put("seconds", assignment.seconds())
                .put("fraction", assignment.fraction());
        ArrayNode placement = node.putArray("placement");
        for (Vm vm : assignment.placement()) {
            placement.addArray().add(vm.machine()).add(vm.disk());
        }
    }

    /** Reads a plan file; "-" is standard input. The plan is not checked here. */
    public static Loaded read(Path file, InputStream standardInput) {
        return read(file.toString(), Documents.read(file, standardInput));
    }

    /** What a file holds that is either a plan or a problem. */
    public record PlanOrProblem(Problem problem, @Nullable Plan plan, List<String> warnings) {}

    /** Reads a file that is a plan if it has the field {@code phases}, else a problem; "-" is standard input. */
    public static PlanOrProblem readPlanOrProblem(Path file, InputStream standardInput) {
        JsonNode tree = Documents.read(file, standardInput);
        if (tree.has("phases")) {
            Loaded loaded = read(file.toString(), tree);
            return new PlanOrProblem(loaded.problem(), loaded.plan(), loaded.warnings());
        }
        ProblemFile.Loaded loaded = ProblemFile.read(file.toString(), tree);
        return new PlanOrProblem(loaded.problem(), null, loaded.warnings());
    }

    /** Reads a text in JSON or YAML. */
    public static Loaded parse(String name, String text) {
        return read(name, Documents.parse(name, text));
    }

    private static Loaded read(String name, JsonNode tree) {
        if (tree.has("jobs") && !tree.has("phases")) {
            throw new InvalidInputException(
                    name, List.of("is a problem, not a plan; heddle pack plan -o PLAN makes a plan of it"));
        }
        DocumentNode root = DocumentNode.root(tree);
        Problem problem = null;
        Plan plan = null;
        Claims claims = new Claims(Double.NaN, null);
        if (root.object(FIELDS)) {
            int version = root.get("version").whole(1, Integer.MAX_VALUE, "a whole number");
            if (version != VERSION) {
                root.get("version").refuse("is unknown; this program reads version " + VERSION);
            } else {
                problem = ProblemFile.problem(root.get("problem"));
                plan = plan(root, problem == null ? "" : problem.id());
                claims = claims(root.get("gap"), root.get("optimal"));
            }
        }
        if (problem == null || plan == null || !root.violations().isEmpty()) {
            throw new InvalidInputException(name, root.violations());
        }
        return new Loaded(problem, plan, claims, List.copyOf(root.warnings()));
    }

    private static Claims claims(DocumentNode gap, DocumentNode optimal) {
        double relative = gap.isPresent() ? gap.number() : Double.NaN;
        return new Claims(relative, optimal.isPresent() ? optimal.flag() : null);
    }

    private static Plan plan(DocumentNode root, String problemId) {
        List<Phase> phases = new ArrayList<>();
        for (DocumentNode node : root.get("phases").items()) {
            if (node.object(PHASE_FIELDS)) {
                List<Assignment> assignments = new ArrayList<>();
                node.get("jobs").items().stream()
                        .filter(n -> n.object(ASSIGNMENT_FIELDS))
                        .forEach(n -> assignments.add(assignment(n)));
                phases.add(new Phase(
                        node.get("start").number(), node.get("seconds").number(), assignments));
            }
        }
        List<Explanation> reasons = new ArrayList<>();
        if (root.get("why").isPresent()) {
            for (DocumentNode node : root.get("why").items()) {
                DocumentNode alternative = node.get("alternative");
                reasons.add(new Explanation(
                        node.get("job").text("the name of a job"),
                        node.get("text").text("a sentence"),
                        alternative.isPresent() ? alternative.number() : Double.NaN));
            }
        }
        String planner = root.get("planner").text("the name of a planner");
        String bound = root.get("bound").optionalText("how the bound was proven");
        return new Plan(
                problemId,
                planner,
                choice(root.get("kind"), PlanKind.class, PlanKind.PHASED),
                root.get("makespan").number(),
                root.get("lowerBound").number(),
                bound == null ? "not given" : bound,
                phases,
                reasons);
    }

    private static Assignment assignment(DocumentNode node) {
        List<Vm> placement = new ArrayList<>();
        for (DocumentNode item : node.get("placement").items()) {
            List<DocumentNode> pair = item.items();
            if (pair.size() == 2) {
                placement.add(new Vm(index(pair.get(0)), index(pair.get(1))));
            } else {
                item.refuse("must be [machine, disk]");
            }
        }
        DocumentNode fraction = node.get("fraction");
        return new Assignment(
                node.get("job").text("the name of a job"),
                choice(node.get("role"), Role.class, Role.NORMAL),
                node.get("vms").whole(Integer.MIN_VALUE, Integer.MAX_VALUE, "a whole number"),
                node.get("start").number(),
                node.get("seconds").number(),
                fraction.isPresent() ? fraction.number() : 1,
                placement);
    }

    private static int index(DocumentNode node) {
        return node.whole(Integer.MIN_VALUE, Integer.MAX_VALUE, "a whole number");
    }

    private static <E extends Enum<E>> E choice(DocumentNode node, Class<E> type, E fallback) {
        @Nullable String text = node.optionalText("a text");
        for (E value : type.getEnumConstants()) {
            if (value.name().toLowerCase(Locale.ROOT).equals(text)) {
                return value;
            }
        }
        node.refuse("must be one of "
                + String.join(
                        ", ",
                        Arrays.stream(type.getEnumConstants())
                                .map(e -> e.name().toLowerCase(Locale.ROOT))
                                .toList())
                + ", is " + (text == null ? "missing" : "\"" + text + "\""));
        return fallback;
    }
}
