// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.heddle.testkit.DateReaders;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Who may know whom. Each rule is checked against our classes, and against planted ones that break it: a rule that
 * cannot fail proves nothing.
 */
@Tag("pure")
class LayeringTest {
    private static final String ROOT = "org.heddle.scheduler";
    private static final String PLANTED = "org.heddle.scheduler.planted";

    private static final JavaClasses OURS = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT, "org.heddle.drf");
    private static final JavaClasses BROKEN = new ClassFileImporter().importPackages(PLANTED);

    /** The rooms of the shell from the bottom to the top: each with the rooms that it may refer to. */
    private static final Map<String, Set<String>> ROOMS = Map.ofEntries(
            Map.entry("compat", Set.of()),
            Map.entry("accounting", Set.of()),
            Map.entry("config", Set.of()),
            Map.entry("queue", Set.of("compat")),
            Map.entry("federation", Set.of("compat", "queue")),
            Map.entry("reservation", Set.of("compat", "queue")),
            Map.entry("app", Set.of("compat", "queue", "reservation")),
            Map.entry("node", Set.of("compat", "queue", "app")),
            Map.entry("placement", Set.of("compat", "queue", "app", "node")),
            Map.entry("preemption", Set.of("compat", "queue", "app", "node")),
            Map.entry("report", Set.of("compat", "config", "queue", "app", "node", "preemption")));

    private static ArchRule noHadoop(String root, String layer) {
        return noClasses()
                .that()
                .resideInAPackage(root + "." + layer + "..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.hadoop..")
                .allowEmptyShould(false);
    }

    /** A layer knows itself, its packages and the layers named, of all our packages. */
    private static ArchRule knowsOnly(String root, String layer, String... others) {
        Set<String> allowed = Set.of(others);
        return classes()
                .that()
                .resideInAPackage(root + "." + layer + "..")
                .should()
                .onlyDependOnClassesThat(new DescribedPredicate<>("are not ours, or are in " + layer + " " + allowed) {
                    @Override
                    public boolean test(JavaClass known) {
                        String name = known.getPackageName();
                        return !name.startsWith("org.heddle.")
                                || name.equals("org.heddle.settings")
                                || (name + ".").startsWith(root + "." + layer + ".")
                                || allowed.contains(name)
                                || allowed.stream().anyMatch(other -> name.equals(root + "." + other));
                    }
                })
                .allowEmptyShould(false);
    }

    /** Time and chance are arguments: only the shells at the edge may look at a clock. */
    private static ArchRule noClockNorChance(String root) {
        return noClasses()
                .that()
                .resideInAPackage(root + "..")
                .and()
                .resideOutsideOfPackages(root + ".yarn..", root + ".http..")
                .should()
                .callCodeUnitWhere(new DescribedPredicate<>("it is a clock, a sleep or chance from nowhere") {
                    @Override
                    public boolean test(JavaCall<?> call) {
                        String owner = call.getTargetOwner().getName();
                        String name = call.getTarget().getName();
                        return (owner.equals(System.class.getName())
                                        && (name.equals("currentTimeMillis") || name.equals("nanoTime")))
                                || (owner.equals(Thread.class.getName()) && name.equals("sleep"))
                                || (owner.equals(Math.class.getName()) && name.equals("random"))
                                || (owner.equals(Random.class.getName()) && isSeedless(call));
                    }
                })
                .allowEmptyShould(false);
    }

    private static boolean isSeedless(JavaCall<?> call) {
        return call.getTarget().getFullName().endsWith("<init>()");
    }

    @ParameterizedTest
    @ValueSource(strings = {"accounting", "model", "snapshot", "policy", "engine", "preemption", "federation"})
    void pureLayersKnowNothingOfHadoop(String layer) {
        noHadoop(ROOT, layer).check(OURS);
        breaks(noHadoop(PLANTED, layer));
    }

    @Test
    void arrowsPointInward() {
        knowsOnly(ROOT, "model").check(OURS);
        knowsOnly(ROOT, "accounting").check(OURS);
        knowsOnly(ROOT, "federation").check(OURS);
        knowsOnly(ROOT, "gpg", "federation", "yarn.federation", "org.heddle.settings.web")
                .check(OURS);
        knowsOnly(ROOT, "snapshot", "model").check(OURS);
        knowsOnly(ROOT, "policy", "model").check(OURS);
        knowsOnly(ROOT, "engine", "policy", "model").check(OURS);
        knowsOnly(ROOT, "preemption", "engine", "policy", "model").check(OURS);
        if (contains(OURS, ROOT + ".config")) {
            knowsOnly(ROOT, "config", "model", "snapshot", "org.heddle.settings")
                    .check(OURS);
        }
        breaks(knowsOnly(PLANTED, "accounting"));
        breaks(knowsOnly(PLANTED, "federation"));
        breaks(knowsOnly(PLANTED, "gpg", "federation", "yarn.federation"));
        breaks(knowsOnly(PLANTED, "model"));
        breaks(knowsOnly(PLANTED, "snapshot", "model"));
        breaks(knowsOnly(PLANTED, "policy", "model"));
        breaks(knowsOnly(PLANTED, "engine", "policy", "model"));
        breaks(knowsOnly(PLANTED, "preemption", "engine", "policy", "model"));
        breaks(knowsOnly(PLANTED, "config", "model"));
    }

    /** Of the rooms of the shell, and the shell itself, a room knows only those named. */
    private static ArchRule roomKnowsOnly(String root, String room, Set<String> others) {
        return noClasses()
                .that()
                .resideInAPackage(root + ".yarn." + room)
                .should()
                .dependOnClassesThat(new DescribedPredicate<>("are in the shell, but not in " + room + " " + others) {
                    @Override
                    public boolean test(JavaClass known) {
                        String name = known.getPackageName();
                        return (name + ".").startsWith(root + ".yarn.")
                                && !name.equals(root + ".yarn." + room)
                                && others.stream().noneMatch(other -> name.equals(root + ".yarn." + other));
                    }
                })
                .allowEmptyShould(false);
    }

    /**
     * A test may be made for a page, for `why` or for a plan: only the allocator's offers change how long an ask waits.
     */
    @Test
    void onlyTheAllocatorChangesWaits() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(ROOT + ".yarn.node.ContainerAllocator")
                .should()
                .callCodeUnitWhere(new DescribedPredicate<>("it notes an offer") {
                    @Override
                    public boolean test(JavaCall<?> call) {
                        return call.getTargetOwner().getName().equals(ROOT + ".yarn.app.DelayScheduling")
                                && Set.of("begin", "passedOver", "served")
                                        .contains(call.getTarget().getName());
                    }
                })
                .check(OURS);
    }

    @Test
    void everyRoomHasARule() {
        assertThat(OURS.stream().map(JavaClass::getPackageName))
                .filteredOn(name -> name.startsWith(ROOT + ".yarn."))
                .allMatch(name -> ROOMS.containsKey(name.substring((ROOT + ".yarn.").length())));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "accounting",
                "compat",
                "config",
                "queue",
                "federation",
                "reservation",
                "app",
                "node",
                "placement",
                "preemption",
                "report"
            })
    void roomsOfTheShellPointDownward(String room) {
        Set<String> others = Objects.requireNonNull(ROOMS.get(room));
        roomKnowsOnly(ROOT, room, others).check(OURS);
        breaks(roomKnowsOnly(PLANTED, room, others));
    }

    /** Only wiring knows the shells; the page knows the snapshot, not the shell. */
    @Test
    void nobodyInsideKnowsTheShells() {
        ArchRule rule = noClasses()
                .that()
                .resideInAnyPackage(
                        ROOT + ".accounting..",
                        ROOT + ".federation..",
                        ROOT + ".model..",
                        ROOT + ".snapshot..",
                        ROOT + ".policy..",
                        ROOT + ".engine..",
                        ROOT + ".preemption..",
                        ROOT + ".config..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ROOT + ".yarn..", ROOT + ".http..", "org.heddle.drf..")
                .allowEmptyShould(false);
        rule.check(OURS);
        breaks(noClasses()
                .that()
                .resideInAPackage(PLANTED + ".engine..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(PLANTED + ".yarn..")
                .allowEmptyShould(false));
    }

    @Test
    void timeAndChanceAreArguments() {
        noClockNorChance(ROOT).check(OURS);
        breaks(noClockNorChance(PLANTED));
        assertThat(noClockNorChance(PLANTED).evaluate(BROKEN).getFailureReport().getDetails())
                .anyMatch(detail -> detail.contains("currentTimeMillis"))
                .anyMatch(detail -> detail.contains("nanoTime"))
                .anyMatch(detail -> detail.contains("Thread.sleep"))
                .anyMatch(detail -> detail.contains("Random.<init>()"))
                .noneMatch(detail -> detail.contains("Random.<init>(long)"));
    }

    /**
     * What waits or expires must not depend on the date, which can step by hours: a class that reads it needs a reason
     * here.
     */
    @Test
    void onlyTheseClassesReadTheDate() {
        assertThat(DateReaders.in(OURS, ROOT))
                .containsExactlyInAnyOrder(
                        "cli.Daemons", // compares the clocks of two machines
                        "gpg.PolicyPass", // the store has dates of starts
                        "http.SchedulerServlet", // "this month"
                        "yarn.HeddleScheduler", // figures that Hadoop's REST shows; plans
                        "yarn.accounting.UsageAccounting", // the hour that use belongs to
                        "yarn.config.ActiveConfiguration", // when it was loaded; files have dates
                        "yarn.preemption.PreemptionLog", // when containers will be killed
                        "yarn.preemption.WorkAtRisk", // Hadoop has dates of containers' starts
                        "yarn.queue.PastUsage", // hours of the accounting
                        "yarn.report.Explainer",
                        "yarn.report.SchedulingActivities",
                        "yarn.report.ShadowLimits",
                        "yarn.report.ShareHistory",
                        "yarn.report.SnapshotTaker");
        assertThat(DateReaders.in(BROKEN, PLANTED)).containsExactly("engine.Impatient");
    }

    private static boolean contains(JavaClasses classes, String name) {
        return classes.stream()
                .anyMatch(one -> one.getPackageName().equals(name)
                        && !one.getSimpleName().equals("package-info"));
    }

    private static void breaks(ArchRule rule) {
        assertThatThrownBy(() -> rule.check(BROKEN)).isInstanceOf(AssertionError.class);
    }
}
