// SPDX-License-Identifier: Apache-2.0
package org.heddle.market;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.testkit.DateReaders;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The packages of the market and what each may use. Each rule is checked against our classes and against planted
 * classes that break it: a rule that cannot fail proves nothing.
 */
@Tag("pure")
class LayeringTest {
    private static final String ROOT = "org.heddle.market";
    private static final String PLANTED = "org.heddle.market.planted";
    private static final String DRF = "org.heddle.scheduler.";

    private static final JavaClasses OURS = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(ROOT);
    private static final JavaClasses BROKEN = new ClassFileImporter().importPackages(PLANTED);

    /** Each package of the market, and the packages of the market that it may use. */
    private static final Map<String, Set<String>> USES = Map.ofEntries(
            entry("model.amount", Set.of()),
            entry("model.naming", Set.of()),
            entry("model.terms", Set.of()),
            entry("model.change", Set.of("model.amount")),
            entry("quote", Set.of()),
            entry("model.status", Set.of("model.amount", "model.terms", "quote")),
            entry("policy", Set.of("model.amount", "model.status", "model.terms")),
            entry("security", Set.of("model.change", "model.naming")),
            entry("epoch", Set.of("model.amount", "model.status", "model.terms", "policy")),
            entry("ledger.book", Set.of("model.amount", "model.change", "epoch")),
            entry(
                    "ledger.query",
                    Set.of(
                            "model.amount",
                            "model.change",
                            "model.status",
                            "model.terms",
                            "policy",
                            "quote",
                            "epoch",
                            "ledger.book")),
            entry("ledger.journal", Set.of("model.change", "ledger.book", "ledger.query")),
            entry("ledger.jdbc", Set.of("model.amount", "model.change", "epoch", "ledger.book", "ledger.query")),
            entry(
                    "ledger",
                    Set.of(
                            "model.amount",
                            "model.change",
                            "model.status",
                            "model.terms",
                            "policy",
                            "epoch",
                            "ledger.book",
                            "ledger.query")),
            entry("alert", Set.of("model.amount", "model.status", "ledger")),
            entry("http.config", Set.of("security")),
            entry(
                    "http.api",
                    Set.of(
                            "model.amount",
                            "model.change",
                            "model.naming",
                            "model.status",
                            "model.terms",
                            "quote",
                            "security",
                            "ledger",
                            "http.config")),
            entry(
                    "http.auth",
                    Set.of(
                            "model.change",
                            "model.naming",
                            "model.status",
                            "model.terms",
                            "security",
                            "ledger",
                            "http.config",
                            "http.api")),
            entry(
                    "http.paper",
                    Set.of(
                            "model.amount",
                            "model.change",
                            "model.naming",
                            "model.status",
                            "security",
                            "ledger",
                            "http.api")),
            entry("http.pages", Set.of("model.amount", "model.status", "model.terms", "http.api")),
            entry(
                    "http",
                    Set.of(
                            "model.change",
                            "model.naming",
                            "model.status",
                            "model.terms",
                            "security",
                            "ledger",
                            "http.config",
                            "http.api",
                            "http.auth",
                            "http.paper",
                            "http.pages")),
            entry(
                    "yarn",
                    Set.of(
                            "model.amount",
                            "model.change",
                            "model.naming",
                            "model.status",
                            "model.terms",
                            "security",
                            "alert",
                            "epoch",
                            "ledger",
                            "ledger.book",
                            "ledger.journal",
                            "ledger.jdbc",
                            "http",
                            "http.auth",
                            "http.config")),
            entry("", Set.of("yarn")),
            entry("agent", Set.of("quote")),
            entry("agent.rest", Set.of("model.naming", "agent")),
            entry("cli.client", Set.of("security")),
            entry("cli.account", Set.of("model.amount", "model.change", "model.naming", "cli.client")),
            entry("cli.agent", Set.of("security", "agent", "agent.rest", "cli.client")),
            entry("cli.keys", Set.of("model.naming", "security", "cli.client")),
            entry("cli.price", Set.of("quote", "agent.rest", "cli.client")),
            entry("cli", Set.of("cli.client", "cli.account", "cli.agent", "cli.keys", "cli.price")));

    /**
     * The packages and types of the DRF scheduler's module that a package of the market may use; all others use none.
     */
    private static final Map<String, Set<String>> USES_OF_DRF = Map.of(
            "epoch",
            Set.of(
                    "engine.Schedulable",
                    "engine.ShareEngine",
                    "policy.SchedulableView",
                    "policy.ShareOrder",
                    "policy.ShareOrders",
                    "policy.UsageMeter"),
            "http.api",
            Set.of("http.RecordMapper"),
            "http.pages",
            Set.of("http.ConsoleFrame"),
            "http",
            Set.of("http.ConsoleFrame"),
            "yarn",
            Set.of(
                    "config.SchedulerKeys",
                    "engine.Schedulable",
                    "engine.ShareEngine",
                    "model",
                    "policy.DrfOrder",
                    "policy.ShareOrder",
                    "yarn.HeddleScheduler",
                    "yarn.app.HeddleApplication",
                    "yarn.node.HeddleNode"));

    private static String name(String root, String part) {
        return part.isEmpty() ? root : root + "." + part;
    }

    private static String[] packages(String root, String... parts) {
        return Arrays.stream(parts).map(part -> root + "." + part + "..").toArray(String[]::new);
    }

    private static ArchRule usesOnly(String root, String part, Set<String> others) {
        return classes()
                .that()
                .resideInAPackage(name(root, part))
                .should()
                .onlyDependOnClassesThat(new DescribedPredicate<>("are not the market's, or are in " + others) {
                    @Override
                    public boolean test(JavaClass used) {
                        String from = used.getPackageName();
                        return !(from + ".").startsWith(root + ".")
                                || from.equals(name(root, part))
                                || others.stream().anyMatch(other -> from.equals(name(root, other)));
                    }
                })
                .allowEmptyShould(false);
    }

    private static ArchRule usesOfDrfOnly(String root, String part, Set<String> allowed) {
        return classes()
                .that()
                .resideInAPackage(name(root, part))
                .should()
                .onlyDependOnClassesThat(new DescribedPredicate<>("are not the DRF scheduler's, or are " + allowed) {
                    @Override
                    public boolean test(JavaClass used) {
                        String from = used.getPackageName();
                        String type = used.getBaseComponentType().getName().replaceFirst("\\$.*", "");
                        return (!(from + ".").startsWith(DRF) && !from.startsWith("org.heddle.drf"))
                                || allowed.stream().map(DRF::concat).anyMatch(Set.of(from, type)::contains);
                    }
                })
                .allowEmptyShould(false);
    }

    private static ArchRule noCycles(String root) {
        return slices().matching(root + ".(**)").should().beFreeOfCycles().allowEmptyShould(false);
    }

    private static ArchRule noHadoop(String root, String... parts) {
        return noClasses()
                .that()
                .resideInAnyPackage(packages(root, parts))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.hadoop..")
                .allowEmptyShould(false);
    }

    private static ArchRule noClock(String root, String... parts) {
        return noClasses()
                .that()
                .resideInAnyPackage(packages(root, parts))
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .allowEmptyShould(false);
    }

    @Test
    void everyPackageIsInTheTable() {
        assertThat(OURS.stream().map(JavaClass::getPackageName).distinct())
                .containsExactlyInAnyOrderElementsOf(
                        USES.keySet().stream().map(part -> name(ROOT, part)).toList());
    }

    @Test
    void packagesUseOnlyWhatTheTableAllows() {
        USES.forEach((part, others) -> usesOnly(ROOT, part, others).check(OURS));
        breaks(usesOnly(PLANTED, "epoch", Set.of("policy")), "Shell");
        breaks(usesOnly(PLANTED, "http", Set.of()), "Outward");
    }

    @Test
    void packagesHaveNoCycles() {
        noCycles(ROOT).check(OURS);
        breaks(noCycles(PLANTED), "Cycle");
    }

    @Test
    void theDrfSchedulerIsUsedThroughAFewTypes() {
        USES.keySet()
                .forEach(part -> usesOfDrfOnly(ROOT, part, USES_OF_DRF.getOrDefault(part, Set.of()))
                        .check(OURS));
        breaks(usesOfDrfOnly(PLANTED, "epoch", Set.of("engine.Schedulable", "model")), "HeddleScheduler");
    }

    @Test
    void onlyTheServerKnowsHadoop() {
        noHadoop(
                        ROOT,
                        "model",
                        "policy",
                        "quote",
                        "security",
                        "epoch",
                        "ledger",
                        "http.pages",
                        "http.paper",
                        "agent",
                        "cli")
                .check(OURS);
        breaks(noHadoop(PLANTED, "epoch"), "Configuration");
    }

    @Test
    void timeIsAnArgument() {
        noClock(ROOT, "model", "policy", "quote", "security", "agent", "epoch", "ledger.book", "ledger.query")
                .check(OURS);
        ArchRule planted = noClock(PLANTED, "epoch");
        List.of("currentTimeMillis", "nanoTime", "sleep").forEach(call -> breaks(planted, call));
    }

    /**
     * What waits or expires must not depend on the date, which can step by hours: a class that reads it needs a reason
     * here.
     */
    @Test
    void onlyTheseClassesReadTheDate() {
        assertThat(DateReaders.in(OURS, ROOT))
                .containsExactlyInAnyOrder(
                        "cli.price.QuoteCommand", // a finish that the user gives as a date
                        "cli.agent.AgentCommand", // the same
                        "cli.agent.RateAgent", // clock of the signatures
                        "cli.client.ConnectionOptions", // the same
                        "cli.client.MarketClient", // signatures have dates
                        "cli.keys.VoucherCommand", // vouchers expire at dates
                        "alert.RunwayAlerts", // the alert says when
                        "http.ApiDispatcher", // requests have dates
                        "http.RequestAuthenticator", // signatures and keys expire at dates
                        "yarn.MarketScheduler"); // dates of the ledger, of vouchers, and of Hadoop's containers
    }

    private static void breaks(ArchRule rule, String reason) {
        assertThat(rule.evaluate(BROKEN).getFailureReport().getDetails()).anyMatch(detail -> detail.contains(reason));
    }
}
