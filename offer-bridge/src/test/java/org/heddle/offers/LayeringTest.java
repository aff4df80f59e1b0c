// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.util.Set;
import org.heddle.settings.Clocks;
import org.heddle.testkit.DateReaders;
import org.junit.jupiter.api.Test;

/** The packages that each package may use. Each kind of rule is also shown to fail where it should. */
class LayeringTest {
    private static final String ROOT = "org.heddle.offers";
    private static final JavaClasses OURS = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    private static final JavaClasses PLANTED = new ClassFileImporter().importPackages(ROOT + ".planted");

    private static ArchRule knowsOnly(String layer, String... others) {
        Set<String> allowed = Set.of(others);
        return ArchRuleDefinition.classes()
                .that()
                .resideInAPackage(ROOT + "." + layer + "..")
                .should()
                .onlyDependOnClassesThat(new DescribedPredicate<>("are not ours, or are in " + layer + " " + allowed) {
                    @Override
                    public boolean test(JavaClass known) {
                        String name = known.getPackageName();
                        return !(name + ".").startsWith(ROOT + ".")
                                || isIn(layer, name)
                                || allowed.stream().anyMatch(other -> isIn(other, name));
                    }
                });
    }

    private static boolean isIn(String layer, String packageName) {
        return (packageName + ".").startsWith(ROOT + "." + layer + ".");
    }

    /** Of other modules, a package may use {@link Clocks}, the packages named, and nothing else. */
    private static ArchRule usesOfOtherModules(String packages, String... others) {
        Set<String> allowed = Set.of(others);
        return ArchRuleDefinition.classes()
                .that()
                .resideInAPackage(packages)
                .should()
                .onlyDependOnClassesThat(new DescribedPredicate<>("are in this module or in " + allowed) {
                    @Override
                    public boolean test(JavaClass used) {
                        String name = used.getPackageName();
                        return !name.startsWith("org.heddle.")
                                || (name + ".").startsWith(ROOT + ".")
                                || used.getName().equals(Clocks.class.getName())
                                || allowed.contains(name);
                    }
                });
    }

    private static ArchRule noCycles() {
        return slices().matching("org.heddle.(**)").should().beFreeOfCycles();
    }

    private static ArchRule without(String layer, String... packages) {
        return noClasses()
                .that()
                .resideInAPackage(ROOT + "." + layer + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages);
    }

    private static ArchRule noClock(String... layers) {
        String[] packages = java.util.Arrays.stream(layers)
                .map(layer -> ROOT + "." + layer + "..")
                .toArray(String[]::new);
        return noClasses()
                .that()
                .resideInAnyPackage(packages)
                .should()
                .callCodeUnitWhere(new DescribedPredicate<>("it is a clock, a sleep or chance from nowhere") {
                    @Override
                    public boolean test(JavaCall<?> call) {
                        String owner = call.getTargetOwner().getName();
                        String name = call.getTarget().getName();
                        return (owner.equals("java.lang.System")
                                        && (name.equals("currentTimeMillis") || name.equals("nanoTime")))
                                || (owner.equals("java.lang.Thread") && name.equals("sleep"))
                                || (owner.equals("java.time.Instant") && name.equals("now"))
                                || (owner.equals("java.lang.Math") && name.equals("random"));
                    }
                });
    }

    @Test
    void arrowsPointInward() {
        knowsOnly("model").check(OURS);
        knowsOnly("policy", "model").check(OURS);
        knowsOnly("wire").check(OURS);
        knowsOnly("store").check(OURS);
        knowsOnly("agent").check(OURS);
        knowsOnly("http", "master", "wire", "agent").check(OURS);
        knowsOnly("yarn", "master.cluster", "model", "agent").check(OURS);
        knowsOnly("client").check(OURS);
        fails(knowsOnly("policy"));
        fails(knowsOnly("http", "wire"));
    }

    /** From the bottom to the top: no package of the master refers to one above it. */
    @Test
    void packagesOfTheMasterUseOnlyThoseBelowThem() {
        knowsOnly("master.cluster", "model").check(OURS);
        knowsOnly("master.state", "master.cluster", "model", "policy", "wire", "store", "agent")
                .check(OURS);
        knowsOnly("master.offers", "master.state", "master.cluster", "model", "policy", "agent")
                .check(OURS);
        knowsOnly("master.tasks", "master.offers", "master.state", "master.cluster", "model", "policy", "wire", "agent")
                .check(OURS);
        knowsOnly("master.agents", "master.tasks", "master.offers", "master.state", "master.cluster", "policy", "agent")
                .check(OURS);
        knowsOnly("master.reports", "master.tasks", "master.offers", "master.state", "master.cluster", "model", "wire")
                .check(OURS);
        knowsOnly("master", "model", "policy", "wire", "store", "agent").check(OURS);
        fails(knowsOnly("master.tasks", "master.state", "master.cluster", "model", "policy", "wire", "agent"));
    }

    @Test
    void noPackagesDependOnEachOther() {
        noCycles().check(OURS);
        failsOnPlanted(noCycles());
    }

    /**
     * Only the outermost package reads settings; the journal and the agents' key are in a log's storage. The agent's
     * jar has of other modules what starts processes, and no more.
     */
    @Test
    void otherModulesAreUsedOnlyWhereNamed() {
        usesOfOtherModules(
                        ROOT,
                        "org.heddle.settings",
                        "org.heddle.settings.command",
                        "org.heddle.settings.file",
                        "org.heddle.journal",
                        "org.heddle.journal.hdfs")
                .check(OURS);
        usesOfOtherModules(ROOT + ".store..", "org.heddle.journal").check(OURS);
        usesOfOtherModules(ROOT + ".http..", "org.heddle.journal", "org.heddle.settings.process")
                .check(OURS);
        usesOfOtherModules(ROOT + ".(agent|yarn)..", "org.heddle.settings.process")
                .check(OURS);
        usesOfOtherModules(ROOT + ".(client|master|model|policy|wire)..").check(OURS);
        failsOnPlanted(usesOfOtherModules(ROOT + ".*..", "org.heddle.journal"));
    }

    @Test
    void thePureCoreKnowsNeitherHadoopNorTheWire() {
        String[] outside = {"org.apache.hadoop..", "org.apache.mesos..", "com.google.protobuf..", "io.netty.."};
        without("model", outside).check(OURS);
        without("policy", outside).check(OURS);
        without("master", "org.apache.hadoop..", "io.netty..").check(OURS);
        without("http", "org.apache.hadoop..").check(OURS);
        without("agent", "org.apache..", "com.google.protobuf..", "io.netty..", "org.slf4j..")
                .check(OURS);
        fails(without("yarn", "org.apache.hadoop.."));
    }

    @Test
    void timeIsAnArgument() {
        noClock("model", "policy", "wire", "store", "master", "http").check(OURS);
        fails(noClock("agent"));
    }

    /**
     * What waits or expires must not depend on the date, which can step by hours: a class that reads it needs a reason
     * here.
     */
    @Test
    void onlyTheseClassesReadTheDate() {
        assertThat(DateReaders.in(OURS, ROOT))
                .containsExactlyInAnyOrder(
                        "agent.Agent", // its log
                        "client.HttpExecutorDriver", // dates in updates of executors
                        "master.state.StateExecutor", // dates in messages to frameworks
                        "yarn.FileSystemTokens"); // tokens expire at dates
    }

    private static void fails(ArchRule rule) {
        assertThatThrownBy(() -> rule.check(OURS)).isInstanceOf(AssertionError.class);
    }

    private static void failsOnPlanted(ArchRule rule) {
        assertThatThrownBy(() -> rule.check(PLANTED)).isInstanceOf(AssertionError.class);
    }
}
