// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

class OptionDefaultsTest {
    @TempDir
    private Path directory;

    private final StringWriter err = new StringWriter();
    private final Properties properties = new Properties();
    private final Map<String, String> environment = new HashMap<>();
    private final Plan plan = new Plan();
    private Path file;

    @Command(name = "heddle pack")
    static final class Pack {}

    @Command(name = "plan")
    static final class Plan implements Runnable {
        @Option(
                names = "--time-limit",
                defaultValue = "10",
                description = "(${DEFAULT-VALUE})",
                converter = DurationConverter.Seconds.class)
        private Duration limit = Duration.ZERO;

        @Option(names = "--memory", defaultValue = "2048", converter = SizeConverter.class)
        private int memory;

        @Option(
                names = {"-u", "--url"},
                split = ",")
        private List<String> urls = new ArrayList<>();

        @Option(names = "--rm")
        private List<String> repeated = new ArrayList<>();

        @Option(names = "--quiet")
        private boolean quiet;

        @Override
        public void run() {}
    }

    @BeforeEach
    void nameTheFile() {
        file = directory.resolve("heddle.properties");
    }

    private int run(String... args) {
        CommandLine line = new CommandLine(new Pack()).addSubcommand(plan);
        OptionDefaults.install(line, "pack", file, properties, environment);
        line.setErr(new PrintWriter(err, true));
        return line.execute(args);
    }

    @Test
    void theLayersGiveDefaultsAndTheCommandLineCountsMost() throws IOException {
        assertThat(run("plan")).isZero();
        assertThat(plan.limit).isEqualTo(Duration.ofSeconds(10));
        assertThat(plan.memory).isEqualTo(2048);
        Files.writeString(file, "heddle.pack.time-limit = 2m\nheddle.pack.plan.memory = 4Gi\nheddle.market.url = x\n");
        assertThat(run("plan")).isZero();
        assertThat(plan.limit).isEqualTo(Duration.ofMinutes(2));
        assertThat(plan.memory).isEqualTo(4096);
        properties.setProperty("heddle.pack.time-limit", "3");
        assertThat(run("plan")).isZero();
        assertThat(plan.limit).isEqualTo(Duration.ofSeconds(3));
        environment.put("HEDDLE_PACK_TIME_LIMIT", "500ms");
        assertThat(run("plan")).isZero();
        assertThat(plan.limit).isEqualTo(Duration.ofMillis(500));
        assertThat(run("plan", "--time-limit", "7s")).isZero();
        assertThat(plan.limit).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void theNameWithTheSubcommandComesFirst() {
        environment.put("HEDDLE_PACK_TIME_LIMIT", "1s");
        properties.setProperty("heddle.pack.plan.time-limit", "2s");
        assertThat(run("plan")).isZero();
        assertThat(plan.limit).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void listsInOneTextHaveNamesAndRepeatedOptionsAndSwitchesHaveNone() {
        environment.put("HEDDLE_PACK_URL", "a,b");
        environment.put("HEDDLE_PACK_RM", "c");
        environment.put("HEDDLE_PACK_QUIET", "true");
        assertThat(run("plan")).isZero();
        assertThat(plan.urls).containsExactly("a", "b");
        assertThat(plan.repeated).isEmpty();
        assertThat(plan.quiet).isFalse();
    }

    @Test
    void aWrongValueIsToldWithItsPlace() {
        environment.put("HEDDLE_PACK_TIME_LIMIT", "soon");
        assertThat(run("plan")).isEqualTo(2);
        assertThat(err.toString())
                .contains("--time-limit")
                .contains("'soon': must be a duration such as 500ms, 15s, 5m or 2h, or a number of seconds")
                .contains("it is heddle.pack.time-limit (set in the environment as HEDDLE_PACK_TIME_LIMIT)");
        err.getBuffer().setLength(0);
        assertThat(run("plan", "--time-limit=later")).isEqualTo(2);
        assertThat(err.toString()).contains("'later'").doesNotContain("environment");
        environment.clear();
        environment.put("HEDDLE_PACK_MEMORY", "1k");
        assertThat(run("plan")).isEqualTo(2);
        assertThat(err.toString()).contains("'1k': must be a size such as 512Mi");
    }

    @Test
    void anUnknownNameInTheFileIsRefused() throws IOException {
        Files.writeString(file, "heddle.pack.timelimit = 2m\n");
        assertThat(run("plan")).isEqualTo(2);
        assertThat(err.toString())
                .contains("heddle.pack.timelimit, which is no option")
                .contains("heddle.pack.time-limit");
    }

    @Test
    void theHelpShowsWhatHolds() {
        environment.put("HEDDLE_PACK_TIME_LIMIT", "9s");
        CommandLine line = new CommandLine(new Pack()).addSubcommand(plan);
        OptionDefaults.install(line, "pack", file, properties, environment);
        assertThat(line.getSubcommands().values())
                .singleElement()
                .satisfies(command -> assertThat(command.getUsageMessage()).contains("(9s)"));
    }
}
