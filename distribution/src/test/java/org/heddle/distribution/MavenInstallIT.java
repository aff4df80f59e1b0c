// SPDX-License-Identifier: Apache-2.0
package org.heddle.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Maven project of somebody who has the archive and nothing else of Heddle. */
class MavenInstallIT {
    private static final Path TREE = Path.of("..").toAbsolutePath().normalize();
    private static final String CLASS = """
            import static org.junit.jupiter.api.Assertions.assertNotNull;
            import static org.junit.jupiter.api.Assertions.assertTrue;

            import java.util.Map;
            import org.heddle.late.policy.AttemptRegistry;
            import org.heddle.late.policy.LatePolicy;
            import org.heddle.late.policy.Settings;
            import org.heddle.testkit.HeddleCluster;
            import org.junit.jupiter.api.Test;

            class OwnTest {
                @Test
                void librariesAreThere() {
                    assertTrue(new LatePolicy(new AttemptRegistry(), Settings.heddle()).scan(0).isEmpty());
                    assertNotNull(HeddleCluster.builder()
                            .scheduler("org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler")
                            .nodes(3, Map.of("memory-mb", 4096L, "vcores", 4L))
                            .users("alice", "bob")
                            .mapReduce());
                    assertNotNull(org.heddle.offers.client.Scheduler.class);
                }
            }
            """;

    /** Not needed with a network: others are not in the repository of this build. */
    private static final String VERSIONS_OF_THIS_BUILD =
            "<dependencyManagement><dependencies><dependency><groupId>org.heddle</groupId>"
                    + "<artifactId>heddle-parent</artifactId><version>${heddle.version}</version><type>pom</type>"
                    + "<scope>import</scope></dependency></dependencies></dependencyManagement>";

    @TempDir
    private Path directory;

    /** The first block of XML in a page of the archive. */
    private static String dependencies(Path page) throws Exception {
        Matcher block = Pattern.compile("(?s)```xml\n(.*?)```").matcher(Files.readString(page));
        assertThat(block.find()).as(page + " shows what a pom.xml needs").isTrue();
        return block.group(1);
    }

    @Test
    void theDependenciesOfThePagesAreEnough() throws Exception {
        Path archive = Tarball.WHOLE.unpack(directory);
        Path repository = directory.resolve("repository");
        Shell shell = new Shell(directory);
        Shell.Outcome installed =
                shell.run(archive.resolve("bin/heddle"), "maven-install", "--repository", repository.toString());
        assertThat(installed.code()).as(installed.err()).isZero();
        assertThat(installed.out()).contains("copied  org.heddle:heddle-testkit:" + Tarball.VERSION);
        Path project = Files.createDirectories(directory.resolve("project/src/test/java"));
        Files.writeString(project.resolve("OwnTest.java"), CLASS);
        String policy =
                dependencies(archive.resolve("docs/framework-authors.md")).replace("offers-client", "late-policy");
        Path pom = Files.writeString(
                directory.resolve("project/pom.xml"),
                "<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>a</artifactId>"
                        + "<version>1</version><properties><heddle.version>" + Tarball.VERSION + "</heddle.version>"
                        + "<hadoop.version>" + System.getProperty("heddle.hadoop.version") + "</hadoop.version>"
                        + "<maven.compiler.release>17</maven.compiler.release>"
                        + "<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>"
                        + VERSIONS_OF_THIS_BUILD + "<dependencies>"
                        + dependencies(archive.resolve("docs/modules/testkit.md"))
                        + dependencies(archive.resolve("docs/framework-authors.md"))
                        + policy + "</dependencies><build><plugins>"
                        + plugin("maven-resources-plugin", "3.3.1")
                        + plugin("maven-compiler-plugin", "3.14.1")
                        + plugin("maven-surefire-plugin", "3.5.4")
                        + "</plugins></build></project>");
        String own = System.getProperty("user.home");
        // What comes from Maven Central is in the repository of this build, and nothing of ours is taken from there.
        Shell.Outcome tested = shell.with("HOME", own)
                .run(
                        TREE.resolve("mvnw"),
                        "-o",
                        "-B",
                        "-f",
                        pom.toString(),
                        "-Dmaven.repo.local=" + repository,
                        "-Dmaven.repo.local.tail=" + System.getProperty("localRepository", own + "/.m2/repository"),
                        "test");
        assertThat(tested.code()).as(tested.out()).isZero();
        assertThat(tested.out()).contains("Tests run: 1, Failures: 0, Errors: 0");
    }

    private static String plugin(String artifact, String version) {
        return "<plugin><artifactId>" + artifact + "</artifactId><version>" + version + "</version></plugin>";
    }
}
