// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.heddle.scheduler.config.Json;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code heddle check} and what {@code convert} takes from a yarn-site.xml. */
@Tag("pure")
class CheckTest {
    static final String SAFE = property("yarn.resourcemanager.recovery.enabled", "true")
            + property("yarn.resourcemanager.fs.state-store.uri", "hdfs:///yarn/rmstore");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path directory;

    private int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Heddle.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    static String property(String name, String value) {
        return "<property><name>" + name + "</name><value>" + value + "</value></property>\n";
    }

    private Path site(String properties) throws IOException {
        return Files.writeString(
                directory.resolve("yarn-site.xml"), "<configuration>\n" + properties + "</configuration>");
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    private static String drf() {
        return property("yarn.resourcemanager.scheduler.class", "org.heddle.drf.DrfScheduler");
    }

    @Test
    void aGoodFileIsSummarised() throws Exception {
        site(SAFE + drf());
        String file = file(
                "heddle-scheduler.xml",
                "<heddle-scheduler version=\"1\"><preemption><mode>on</mode></preemption><queue name=\"root\">"
                        + "<queue name=\"etl\"><weight>3</weight><max-running-apps>9</max-running-apps><max-resources>"
                        + "<resource name=\"memory-mb\">50%</resource></max-resources></queue>"
                        + "<queue name=\"default\"/></queue></heddle-scheduler>");
        assertThat(run("check", file)).as(out.toString() + err).isZero();
        assertThat(out.toString())
                .contains(
                        file + ": no problem; format of heddle-scheduler.xml",
                        "queues: 3, of which 2 are leaf queues",
                        "weight 3, order drf among users, sojourn within, at most 50 % of memory-mb, applications at most 9",
                        "preemption: on, 15 s between notice and kill, at most 1 % of the cluster a second",
                        "1. the queue named at submission",
                        "yarn.resourcemanager.recovery.enabled = true\n",
                        "yarn.acl.enable = false (default)")
                .doesNotContain("other than under FairScheduler");
    }

    @Test
    void everyProblemHasItsLineElementValueAndWayOut() throws Exception {
        String file = file(
                "heddle-scheduler.xml",
                "<heddle-scheduler version=\"1\">\n<queue name=\"root\">\n<queue name=\"a\"><weight>-2</weight></queue>\n"
                        + "<queue name=\"b\"><order>dfr</order></queue>\n</queue></heddle-scheduler>");
        assertThat(run("check", file)).isEqualTo(1);
        assertThat(out.toString())
                .contains(
                        file + ": line 3, <weight> = '-2': must be",
                        file + ": line 4, <order> = 'dfr': must be one of",
                        "did you mean drf?",
                        "2 problems",
                        "not checked: yarn-site.xml");
        assertThat(run("check", file, "--json")).isEqualTo(1);
        assertThat(Json.parse(out.toString())).containsKeys("version", "problems", "site");
        assertThat(Json.at(Json.parse(out.toString()), "problems"))
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                .hasSize(2)
                .first()
                .satisfies(first -> {
                    assertThat(Json.string(first, "element")).isEqualTo("<weight>");
                    assertThat(Json.string(first, "value")).isEqualTo("-2");
                    assertThat(Json.number(first, "line")).isEqualTo(3);
                });
    }

    @Test
    void aFairSchedulerXmlIsReadWithTheKeysBesideIt() throws Exception {
        Path site = site(SAFE
                + drf()
                + property("yarn.scheduler.fair.preemption", "true")
                + property("yarn.scheduler.fair.update-interval-ms", "100"));
        String file = file(
                "fair-scheduler.xml",
                "<allocations><queue name=\"a\"><weight>3</weight><maxJobs>1</maxJobs>"
                        + "<maxResources>memory-mb=4096</maxResources></queue></allocations>");
        assertThat(run("check", file)).as(out.toString()).isZero();
        assertThat(out.toString())
                .contains(
                        "format of fair-scheduler.xml",
                        "<maxJobs>: is not known here and has no effect",
                        "yarn.scheduler.fair.update-interval-ms: has no effect here",
                        "maxResources of root.a names only some resources",
                        "preemption: on",
                        "yarn.scheduler.fair.preemption = true\n",
                        "the exit status of a container that an administrator kills is preempted (-102)");
        assertThat(run("convert", file)).isZero();
        assertThat(out.toString()).contains("<mode>on</mode>");
        assertThat(run("convert", file, "--key", "yarn.scheduler.fair.preemption=false"))
                .isZero();
        assertThat(out.toString()).contains("<mode>off</mode>");
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        Path copy = Files.copy(Path.of(file), elsewhere.resolve("fair-scheduler.xml"));
        assertThat(run("convert", copy.toString())).isZero();
        assertThat(out.toString()).contains("<mode>off</mode>");
        assertThat(run("convert", copy.toString(), "--yarn-site", site.toString()))
                .isZero();
        assertThat(out.toString()).contains("<mode>on</mode>");
    }

    @Test
    void timesOfPreemptionAndQueuesThatPlacementCreatesAreSummarised() throws Exception {
        site(SAFE + drf() + property("yarn.scheduler.fair.preemption", "true"));
        String file = file(
                "fair-scheduler.xml",
                "<allocations><queue name=\"users\" type=\"parent\"><maxChildResources>4096 mb,4vcores</maxChildResources></queue>"
                        + "<queue name=\"prod\"><minResources>1024 mb,1 vcores</minResources>"
                        + "<minSharePreemptionTimeout>5</minSharePreemptionTimeout>"
                        + "<fairSharePreemptionTimeout>20</fairSharePreemptionTimeout></queue>"
                        + "<queueMaxResourcesDefault>8192 mb, 8 vcores</queueMaxResourcesDefault>"
                        + "<queuePlacementPolicy><rule name=\"specified\" create=\"false\"/>"
                        + "<rule name=\"nestedUserQueue\" create=\"false\"><rule name=\"default\" queue=\"users\"/></rule>"
                        + "<rule name=\"reject\"/></queuePlacementPolicy></allocations>");
        assertThat(run("check", file)).as(out.toString()).isZero();
        assertThat(out.toString())
                .contains(
                        "queues created inside at most 4096 memory-mb and 4 vcores",
                        "preemption for it after 5 s below its guarantee and after 20 s below 50 % of its fair share",
                        "a queue named after the user, below queue root.users (which is created if there is none);"
                                + " if it does not exist, the next step",
                        "each may hold at most 8192 memory-mb and 8 vcores");
    }

    @Test
    void keysThatAreWrongAreProblems() throws Exception {
        String file = file("fair-scheduler.xml", "<allocations/>");
        Files.writeString(directory.resolve("heddle-scheduler.xml"), "<heddle-scheduler version=\"1\"/>");
        site(property("yarn.resourcemanager.scheduler.class", "org.heddle.drf.DrfSheduler")
                + property("yarn.scheduler.heddle.configuration.fiel", "x")
                + property("yarn.scheduler.heddle.federation.interval-ms", "soon"));
        assertThat(run("check", file)).isEqualTo(1);
        assertThat(out.toString())
                .contains(
                        "yarn.resourcemanager.scheduler.class = org.heddle.drf.DrfSheduler (yarn-site.xml line 2):"
                                + " there is no such class",
                        "did you mean org.heddle.drf.DrfScheduler?",
                        "yarn.scheduler.heddle.configuration.fiel (yarn-site.xml line 3) is not a key of Heddle",
                        "did you mean yarn.scheduler.heddle.configuration.file?",
                        "yarn.scheduler.heddle.federation.interval-ms = 'soon'",
                        "heddle-scheduler.xml exists, and counts in place of",
                        "yarn.resourcemanager.recovery.enabled = false (default): every restart");
    }

    @Test
    void resourceTypesAreThoseOfTheCluster() throws Exception {
        String file = file(
                "heddle-scheduler.xml",
                "<heddle-scheduler version=\"1\"><queue name=\"root\"><max-resources>"
                        + "<resource name=\"yarn.io/gpu\">4</resource></max-resources><queue name=\"a\"/>"
                        + "</queue></heddle-scheduler>");
        site(SAFE);
        assertThat(run("check", file)).isEqualTo(1);
        assertThat(out.toString()).contains("is not a resource type of this cluster");
        assertThat(run("check", file, "--resource", "yarn.io/gpu")).isZero();
        file(
                "resource-types.xml",
                "<configuration>" + property("yarn.resource-types", "yarn.io/gpu") + "</configuration>");
        assertThat(run("check", file)).as(out.toString()).isZero();
    }

    @Test
    void siteFilesOpenNoOtherFile() throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), "s3cret");
        for (String text : List.of(
                "<!DOCTYPE c [<!ENTITY x SYSTEM \"" + secret.toUri() + "\">]><configuration>"
                        + property("yarn.admin.acl", "&x;") + "</configuration>",
                "<configuration xmlns:xi=\"http://www.w3.org/2001/XInclude\"><xi:include parse=\"text\" href=\""
                        + secret.toUri() + "\"/></configuration>")) {
            Files.writeString(directory.resolve("yarn-site.xml"), text);
            run(
                    "check",
                    file(
                            "heddle-scheduler.xml",
                            "<heddle-scheduler version=\"1\"><queue name=\"root\"/>" + "</heddle-scheduler>"));
            assertThat(out.toString() + err).doesNotContain("s3cret").doesNotContain("\tat ");
        }
    }

    @Test
    void aWrongCommandLineIsNoProblemOfTheFile() {
        assertThat(run("check")).isEqualTo(2);
        assertThat(run("check", directory.resolve("nowhere.xml").toString())).isEqualTo(2);
        assertThat(err.toString()).contains("nowhere.xml is no file");
    }
}
