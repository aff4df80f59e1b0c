// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.heddle.packing.model.Vm;
import org.jspecify.annotations.Nullable;

/** One way of spoiling a plan, with the rules that must notice. */
enum Mutation {
    DROP_JOB(Rule.JOB_MISSING, Rule.WORK_FRACTION) {
        @Override
        @Nullable
        Plan apply(Sample sample, Random random) {
            return sample.with(random, assignment -> null);
        }
    },
    REPEAT_JOB(Rule.JOB_REPEATED) {
        @Override
        Plan apply(Sample sample, Random random) {
            int p = random.nextInt(sample.plan().phases().size());
            Phase phase = sample.plan().phases().get(p);
            List<Assignment> assignments = new ArrayList<>(phase.assignments());
            assignments.add(assignments.get(random.nextInt(assignments.size())));
            return sample.withPhase(p, new Phase(phase.start(), phase.seconds(), assignments));
        }
    },
    STRANGE_JOB(Rule.UNKNOWN_JOB) {
        @Override
        @Nullable
        Plan apply(Sample sample, Random random) {
            return sample.with(
                    random,
                    s -> new Assignment(
                            s.job() + "x", s.role(), s.vms(), s.start(), s.seconds(), s.fraction(), s.placement()));
        }
    },
    TOO_MANY_VMS(Rule.CAPACITY, Rule.VM_COUNT) {
        @Override
        @Nullable
        Plan apply(Sample sample, Random random) {
            Problem problem = sample.problem();
            return sample.with(random, s -> {
                int vms = s.vms() + problem.slots();
                List<Vm> placed = new ArrayList<>(s.placement());
                for (int i = 0; i < problem.slots(); i++) {
                    placed.add(new Vm(i / problem.disks(), i % problem.disks()));
                }
                return new Assignment(s.job(), s.role(), vms, s.start(), s.seconds(), s.fraction(), placed);
            });
        }
    },
    FORGET_A_VM(Rule.PLACEMENT_COUNT) {
        @Override
        @Nullable
        Plan apply(Sample sample, Random random) {
            return sample.with(random, s -> s.placedOn(s.placement().subList(1, s.vms())));
        }
    },
    NO_SUCH_MACHINE(Rule.PLACE_UNKNOWN) {
        @Override
        @Nullable
        Plan apply(Sample sample, Random random) {
            Problem problem = sample.problem();
            Vm nowhere = random.nextBoolean()
                    ? new Vm(random.nextBoolean() ? -1 : problem.machines(), 0)
                    : new Vm(0, random.nextBoolean() ? -1 : problem.disks());
            return sample.with(random, s -> moved(s, random.nextInt(s.vms()), nowhere));
        }
    },
    SHARE_A_DISK(Rule.DISK_SHARED) {
        @Override
        @Nullable
        Plan apply(Sample sample, Random random) {
            return sample.with(random, s -> {
                if (s.role() == Role.EXTRA || s.vms() < 2) {
                    return s;
                }
                int i = random.nextInt(s.vms());
                return moved(s, i, s.placement().get((i + 1) % s.vms()));
            });
        }
    },
    CROWD_EXTRAS(Rule.EXTRAS_PER_MACHINE) {
        @Override
        @Nullable
        Plan apply(Sample sample, Random random) {
            return sample.with(random, s -> {
                if (s.role() != Role.EXTRA || s.vms() <= sample.problem().extrasPerMachine()) {
                    return s;
                }
                Assignment crowded = s;
                for (int i = 0; i < s.vms(); i++) {
                    crowded = moved(crowded, i, s.placement().get(0));
                }
                return crowded;
            });
        }
    },
    NORMAL_BESIDE_EXTRA(Rule.NORMAL_BESIDE_EXTRA) {
        @Override
        @Nullable
        Plan apply(Sample sample, Random random) {
            int p = random.nextInt(sample.plan().phases().size());
            Phase phase = sample.plan().phases().get(p);
            List<Assignment> assignments = new ArrayList<>(phase.assignments());
            for (Assignment extra : phase.assignments()) {
                for (int i = 0; extra.role() == Role.EXTRA && i < assignments.size(); i++) {
                    Assignment s = assignments.get(i);
                    boolean together = s.start() < extra.start() + extra.seconds() / 2
                            && extra.start() < s.start() + s.seconds() / 2;
                    if (s.role() == Role.NORMAL && together) {
                        assignments.set(
                                i,
                                moved(
                                        s,
                                        random.nextInt(s.vms()),
                                        extra.placement().get(random.nextInt(extra.vms()))));
                        return sample.withPhase(p, new Phase(phase.start(), phase.seconds(), assignments));
                    }
                }
            }
            return null;
        }
    },
    WRONG_CLASS(Rule.ROLE_CLASS) {
        @Override
        @Nullable
        Plan apply(Sample sample, Random random) {
            return sample.with(random, s -> {
                Job job = sample.job(s.job());
                Role role = job.cpu() ? s.role() : Role.EXTRA;
                if (!job.io()) {
                    role = Role.HOST;
                }
                return new Assignment(s.job(), role, s.vms(), s.start(), s.seconds(), s.fraction(), s.placement());
            });
        }
    },
    NO_HOST(Rule.EXTRA_WITHOUT_HOST) {
        @Override
        @Nullable
        Plan apply(Sample sample, Random random) {
            int p = random.nextInt(sample.plan().phases().size());
            Phase phase = sample.plan().phases().get(p);
            if (phase.assignments().stream().noneMatch(s -> s.role() == Role.EXTRA)) {
                return null;
            }
            List<Assignment> assignments = phase.assignments().stream()
                    .filter(s -> s.role() != Role.HOST)
                    .toList();
            return sample.withPhase(p, new Phase(phase.start(), phase.seconds(), assignments));
        }
    },
    TOO_FAST(Rule.DURATION) {
        @Override
        @Nullable
        Plan apply(Sample sample, Random random) {
            double factor = 0.5 + 0.499 * random.nextDouble();
            return sample.with(
                    random,
                    s -> new Assignment(
                            s.job(), s.role(), s.vms(), s.start(), factor * s.seconds(), s.fraction(), s.placement()));
        }
    },
    EARLY_START(Rule.TIMING) {
        @Override
        @Nullable
        Plan apply(Sample sample, Random random) {
            double shift = sample.plan().makespan() * (0.001 + random.nextDouble());
            boolean back = random.nextBoolean() || sample.plan().kind() == PlanKind.NONPHASED;
            return sample.with(
                    random,
                    s -> new Assignment(
                            s.job(),
                            s.role(),
                            s.vms(),
                            back ? -shift : s.start() + shift,
                            s.seconds(),
                            s.fraction(),
                            s.placement()));
        }
    },
    OVERLAPPING_PHASES(Rule.TIMING) {
        @Override
        @Nullable
        Plan apply(Sample sample, Random random) {
            int p = random.nextInt(sample.plan().phases().size());
            Phase phase = sample.plan().phases().get(p);
            return p == 0
                    ? null
                    : sample.withPhase(p, new Phase(phase.start() / 2, phase.seconds(), phase.assignments()));
        }
    },
    PART_OF_THE_WORK(Rule.WORK_FRACTION) {
        @Override
        @Nullable
        Plan apply(Sample sample, Random random) {
            double part = 0.01 + 0.98 * random.nextDouble();
            return sample.with(
                    random,
                    s -> new Assignment(
                            s.job(),
                            s.role(),
                            s.vms(),
                            s.start(),
                            part * s.seconds(),
                            part * s.fraction(),
                            s.placement()));
        }
    },
    WRONG_MAKESPAN(Rule.MAKESPAN) {
        @Override
        Plan apply(Sample sample, Random random) {
            double factor = random.nextBoolean() ? 0.5 + 0.499 * random.nextDouble() : 1.001 + random.nextDouble();
            Plan plan = sample.plan();
            return new Plan(
                    plan.problem(),
                    plan.planner(),
                    plan.kind(),
                    factor * plan.makespan(),
                    plan.lowerBound(),
                    plan.bound(),
                    plan.phases(),
                    plan.explanations());
        }
    },
    WRONG_BOUND(Rule.LOWER_BOUND) {
        @Override
        Plan apply(Sample sample, Random random) {
            Plan plan = sample.plan();
            boolean high = plan.kind() == PlanKind.MALLEABLE || random.nextBoolean();
            double bound = high
                    ? plan.makespan() * (1.001 + random.nextDouble())
                    : 0.5 * random.nextDouble() * plan.makespan();
            return plan.named(plan.planner(), high ? bound : Math.min(bound, 0.1 * plan.lowerBound()), plan.bound());
        }
    };

    @SuppressWarnings("ImmutableEnumChecker") // Set.of cannot be changed
    private final Set<Rule> rules;

    Mutation(Rule... rules) {
        this.rules = Set.of(rules);
    }

    Set<Rule> rules() {
        return rules;
    }

    /** A spoilt copy, or null if this sample has nothing to spoil. */
    abstract @Nullable Plan apply(Sample sample, Random random);

    private static Assignment moved(Assignment assignment, int vm, Vm to) {
        List<Vm> placed = new ArrayList<>(assignment.placement());
        placed.set(vm, to);
        return assignment.placedOn(placed);
    }

    /** Changes one assignment; null removes it. */
    interface Change {
        @Nullable
        Assignment of(Assignment assignment);
    }

    /** A sound plan. */
    record Sample(Problem problem, Plan plan) {
        Job job(String name) {
            return problem.jobs().stream()
                    .filter(j -> j.name().equals(name))
                    .findFirst()
                    .orElseThrow();
        }

        @Nullable
        Plan with(Random random, Change change) {
            int p = random.nextInt(plan.phases().size());
            Phase phase = plan.phases().get(p);
            List<Assignment> assignments = new ArrayList<>(phase.assignments());
            int s = random.nextInt(assignments.size());
            Assignment before = assignments.get(s);
            Assignment after = change.of(before);
            if (before.equals(after)) {
                return null;
            }
            if (after == null) {
                assignments.remove(s);
            } else {
                assignments.set(s, after);
            }
            return withPhase(p, new Phase(phase.start(), phase.seconds(), assignments));
        }

        Plan withPhase(int p, Phase phase) {
            List<Phase> phases = new ArrayList<>(plan.phases());
            phases.set(p, phase);
            return new Plan(
                    plan.problem(),
                    plan.planner(),
                    plan.kind(),
                    plan.makespan(),
                    plan.lowerBound(),
                    plan.bound(),
                    phases,
                    plan.explanations());
        }
    }
}
