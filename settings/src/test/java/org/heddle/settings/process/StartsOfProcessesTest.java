// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.heddle.settings.ProjectSources;
import org.junit.jupiter.api.Test;

/**
 * Which classes of all modules start a process or a container, and which scripts start Java. A new place has to see to
 * the locale: text that its encoding does not have would reach the other process as question marks.
 */
class StartsOfProcessesTest {
    private static final Pattern START = Pattern.compile("\\bnew ProcessBuilder\\b|\\bProcessBuilder::new\\b|\\.exec\\("
            + "|\\b(ShellCommandExecutor|execCommand|startPipeline)\\b"
            + "|\\bContainerLaunchContext(\\.newInstance|\\.class)");

    /** They start what tests and demos look at, and inherit the locale of ./demo and the like. */
    private static final Pattern NOT_SHIPPED = Pattern.compile("^(acceptance|benchmarks|demos|testkit)/.*");

    private static final List<String> STARTERS = List.of(
            "settings/src/main/java/org/heddle/settings/process/ProcessStart.java",
            "offer-bridge/src/main/java/org/heddle/offers/yarn/AgentLaunchContext.java",
            // an unmanaged ApplicationMaster, for which YARN starts nothing
            "offer-bridge/src/main/java/org/heddle/offers/yarn/FrameworkAppMaster.java");

    private static final Pattern STARTS_JAVA =
            Pattern.compile("(?m)^\\s*(exec )?\"?(\\$\\{JAVA_HOME\\S*)?\\$?java\"? -");
    private static final List<String> SCRIPTS =
            List.of("bin/heddle", "demo", "benchmarks/bin/common.sh", "offer-bridge/frameworks/spark/submit");
    private static final Pattern LOCALE =
            Pattern.compile("(?m)^if \\[\\[ \\$\\(locale charmap 2>/dev/null\\) != UTF-8 ]]; then\n"
                    + "  export HEDDLE_LC_ALL=\\$\\{LC_ALL:-} LC_ALL=C\\.UTF-8\nfi$");

    private static boolean starts(String source) {
        return START.matcher(source).find();
    }

    @Test
    void onlyTheseStartProcesses() throws IOException {
        Set<String> found = new TreeSet<>(ProjectSources.java(StartsOfProcessesTest::starts));
        found.removeIf(name -> NOT_SHIPPED.matcher(name).matches());
        assertThat(found)
                .as("another class starts a process or a container: use ProcessStart, or set the locale")
                .containsExactlyInAnyOrderElementsOf(STARTERS);
    }

    @Test
    void everyScriptThatStartsJavaSetsTheLocale() throws IOException {
        Set<String> forgetful = ProjectSources.scripts(text ->
                STARTS_JAVA.matcher(text).find() && !LOCALE.matcher(text).find() && !text.contains("/common.sh\"\n"));
        forgetful.removeIf(name -> name.equals("mvnw") || name.startsWith("acceptance/"));
        assertThat(forgetful).isEmpty();
        for (String script : SCRIPTS) {
            assertThat(Files.readString(ProjectSources.ROOT.resolve(script)))
                    .as(script)
                    .containsPattern(LOCALE)
                    .containsPattern(STARTS_JAVA);
        }
    }

    @Test
    void anotherOneIsNoticed() {
        assertThat(List.of(
                        "Process a = new ProcessBuilder(words).start();",
                        "words.map(ProcessBuilder::new)",
                        "Runtime.getRuntime().exec(words)",
                        "Shell.execCommand(words)",
                        "Records.newRecord(ContainerLaunchContext.class)",
                        "ContainerLaunchContext.newInstance(files, Map.of(), words, null, null, null)"))
                .allMatch(StartsOfProcessesTest::starts);
        assertThat(List.of(
                        "ProcessStart.ours(words, builder -> {})", "ContainerLaunchContext context", "execute(task)"))
                .noneMatch(StartsOfProcessesTest::starts);
        assertThat(List.of(
                        "  exec \"$java\" -cp x Main", "java -cp x", "exec \"${JAVA_HOME:+$JAVA_HOME/bin/}java\" -X"))
                .allMatch(line -> STARTS_JAVA.matcher(line).find());
        assertThat("version=$(\"$java\" -version)").doesNotContainPattern(STARTS_JAVA);
    }
}
