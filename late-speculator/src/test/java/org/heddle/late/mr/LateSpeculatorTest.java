// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.mr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.mockito.Mockito.mock;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.util.Clock;
import org.heddle.late.policy.AttemptRegistry;
import org.heddle.late.policy.Decision;
import org.heddle.late.policy.LatePolicy;
import org.heddle.late.policy.Reason;
import org.heddle.late.policy.Settings;
import org.heddle.late.policy.TaskKind;
import org.heddle.late.sim.Decisions;
import org.heddle.late.sim.Mode;
import org.heddle.late.sim.Scenarios;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LateSpeculatorTest {
    private static final JobId JOB = MRBuilderUtils.newJobId(ApplicationId.newInstance(1, 1), 1);

    @TempDir
    Path dir;

    @Test
    void noConfigurationMakesTheConstructorThrow() {
        for (String key : LateKeys.names()) {
            Configuration conf = new Configuration(false);
            conf.set(key, "-7 bananas");
            assertThatCode(() -> new LateSpeculator(conf, failing("getJob")))
                    .as(key)
                    .doesNotThrowAnyException();
        }
        assertThatCode(() -> new LateSpeculator(new Configuration(false), failing("getEventHandler")))
                .doesNotThrowAnyException();
    }

    @Test
    void aFailureEndsOnlySpeculation() {
        LateSpeculator late = new LateSpeculator(new Configuration(false), failing("getJob"));
        late.handle(new SpeculatorEvent(JOB, 0));
        assertThat(late.scan()).isZero();
        late.handle(new SpeculatorEvent(JOB, 0));
        assertThat(late.scan()).isZero();
    }

    @Test
    void theThreadRunsFromStartToStop() throws Exception {
        LateSpeculator late = new LateSpeculator(new Configuration(false), failing(""));
        late.init(new Configuration(false));
        assertThat(threads()).isZero();
        late.start();
        assertThat(threads()).isEqualTo(1);
        late.stop();
        Await.until("the thread to end", Duration.ofSeconds(10), () -> threads() == 0);
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(t -> t.getName().equals("heddle-late"))
                .count();
    }

    @Test
    void aBadValueIsReplacedByItsDefaultAndNamed() {
        Configuration conf = new Configuration(false);
        conf.set("mapreduce.heddle.late.cap.slots", "1.5");
        conf.set("mapreduce.heddle.late.profile", "speedy");
        conf.set(MRJobConfig.SPECULATIVE_MINIMUM_ALLOWED_TASKS, "ten");
        LateConfig config = LateConfig.of(conf);
        assertThat(config.settings().profile()).isEqualTo(Settings.Profile.HEDDLE);
        assertThat(config.problems())
                .contains(
                        "mapreduce.heddle.late.profile = 'speedy': must be one of paper, heddle (default heddle)",
                        "mapreduce.heddle.late.cap.slots = '1.5': must be a part from 0 to 1, such as 0.05 or 5%"
                                + " (default 0.25)",
                        MRJobConfig.SPECULATIVE_MINIMUM_ALLOWED_TASKS
                                + " = 'ten': must be a whole number (default 10)");
    }

    @Test
    void aKeyThatDoesNotExistIsNamedWithThoseThatDo() {
        Configuration conf = new Configuration(false);
        conf.set("mapreduce.heddle.late.benefit", "1.5");
        conf.set("mapreduce.heddle.late.dryrun", "true");
        String keys = " is not a key of Heddle and has no effect: it must be one of "
                + String.join(", ", LateKeys.ownNames());
        assertThat(LateConfig.of(conf).problems())
                .containsExactly("mapreduce.heddle.late.benefit" + keys, "mapreduce.heddle.late.dryrun" + keys);
    }

    @Test
    void stockKeysKeepTheirMeaning() {
        Configuration conf = new Configuration(false);
        assertThat(LateConfig.of(conf).pauseMillis(true)).as("no 15 s pause").isEqualTo(1_000);
        conf.setLong(MRJobConfig.SPECULATIVE_RETRY_AFTER_NO_SPECULATE, 500);
        conf.setLong(MRJobConfig.SPECULATIVE_RETRY_AFTER_SPECULATE, 4_000);
        assertThat(LateConfig.of(conf).pauseMillis(false)).isEqualTo(500);
        assertThat(LateConfig.of(conf).pauseMillis(true)).isEqualTo(4_000);
    }

    /** The ApplicationMaster reads job.xml, in which each value names the file that it came from. */
    @Test
    void aStockLimitFromAFileOrTheJobIsALimit() throws IOException {
        assertThat(capOf200Slots(LateConfig.of(jobXml("")).settings())).isEqualTo(50);
        assertThat(capOf200Slots(LateConfig.of(jobXml("mapred-default.xml")).settings()))
                .as("Hadoop's own default is no limit")
                .isEqualTo(50);
        for (String source : List.of("mapred-site.xml", "programmatically", "from command line")) {
            LateConfig config = LateConfig.of(jobXml(source));
            assertThat(capOf200Slots(config.settings())).as(source).isEqualTo(2);
            assertThat(config.problems()).isEmpty();
        }
    }

    @Test
    void capSlotsThatHasNoEffectIsNamed() {
        Configuration conf = new Configuration(false);
        conf.set("mapreduce.heddle.late.cap.slots", "0.5");
        conf.set(MRJobConfig.SPECULATIVECAP_RUNNING_TASKS, "0.01");
        assertThat(LateConfig.of(conf).problems())
                .containsExactly("mapreduce.heddle.late.cap.slots has no effect, because "
                        + MRJobConfig.SPECULATIVECAP_RUNNING_TASKS + " is set: remove one of them");
    }

    /** A job.xml as a client writes it. Its three limits have this source; without a source they are not there. */
    private static Configuration jobXml(String source) throws IOException {
        Configuration client = new Configuration(false);
        client.set("mapreduce.job.name", "sort", "programmatically");
        if (!source.isEmpty()) {
            client.set(MRJobConfig.SPECULATIVE_MINIMUM_ALLOWED_TASKS, "2", source);
            client.set(MRJobConfig.SPECULATIVECAP_RUNNING_TASKS, "0.001", source);
            client.set(MRJobConfig.SPECULATIVECAP_TOTAL_TASKS, "0.001", source);
        }
        ByteArrayOutputStream xml = new ByteArrayOutputStream();
        client.writeXml(xml);
        Configuration job = new Configuration(false);
        job.addResource(new ByteArrayInputStream(xml.toByteArray()), "job.xml");
        return job;
    }

    private static int capOf200Slots(Settings settings) {
        AttemptRegistry registry = new AttemptRegistry();
        registry.slots(TaskKind.MAP, 200);
        return new LatePolicy(registry, settings).cap(TaskKind.MAP);
    }

    /** People's scripts read these lines, so a change of a name needs a new version of the format. */
    @Test
    void everyDecisionIsALineOfJson() throws IOException {
        List<String> lines = Decisions.of(Scenarios.stalls(1), Mode.HEDDLE, 1, dir);
        assertThat(lines.get(0))
                .isEqualTo("{\"format\":\"heddle-late-decisions\",\"version\":1,\"job\":\"job_1000000_0001\","
                        + "\"profile\":\"heddle\",\"dryRun\":false}");
        String text = "\"[^\"]+\"";
        String attempt = "\"task\":" + text + ",\"attempt\":" + text + ",\"node\":" + text;
        String score = "\"score\":[01]\\.[0-9]+";
        String times = "\"remainingMs\":([0-9]+|null),\"freshMs\":[0-9]+";
        String ofTask = "\\{\"t\":[0-9]+," + attempt + ",\"action\":\"%s\",\"reason\":\"[A-Z_]+\"," + score;
        String launch = String.format(ofTask, "LAUNCH") + "," + times + "}";
        String hold = String.format(ofTask, "HOLD") + "," + times + "}";
        String keep = String.format(ofTask, "KEEP") + "}";
        String ofKind = "\\{\"t\":[0-9]+,\"task\":\"MAP\",\"action\":\"HOLD\",\"reason\":\"[A-Z_]+\"}";
        List<String> decisions = lines.subList(1, lines.size());
        for (String form : List.of(launch, hold, keep, ofKind)) {
            assertThat(decisions).as(form).anyMatch(line -> line.matches(form));
        }
        assertThat(decisions).allMatch(line -> line.matches(String.join("|", launch, hold, keep, ofKind)));
    }

    @Test
    void everyVetoHasACounter() {
        for (Reason reason : Reason.values()) {
            boolean counted = reason.action() == Decision.Action.HOLD && reason != Reason.ONLY_SLOW_NODES;
            assertThat(LateCounter.veto(reason) != null).as("%s", reason).isEqualTo(counted);
        }
    }

    @Test
    void theDocumentListsExactlyTheKeys() throws IOException {
        Path page = Path.of("../docs/config-late.md");
        String generated = String.join(
                "\n",
                "# Configuration of the LATE speculator",
                "",
                "<!-- Generated from LateKeys by LateSpeculatorTest; do not edit. -->",
                "",
                "Keys in `mapred-site.xml` or in the configuration of a job, in addition to",
                "`yarn.app.mapreduce.am.job.speculator.class`. A wrong value never fails a job: the default is used,"
                        + " and the log",
                "of the ApplicationMaster names the key. [Durations](config.md) have one syntax everywhere.",
                "",
                LateKeys.table());
        if (Boolean.getBoolean("heddle.docs.write")) {
            Files.writeString(page, generated);
        }
        assertThat(page)
                .as("after a change: ./mvnw -pl late-speculator -am test -Dtest=LateSpeculatorTest"
                        + " -Dsurefire.failIfNoSpecifiedTests=false -Dheddle.docs.write=true")
                .hasContent(generated);
    }

    @Test
    void theSampleUsesKnownKeysOnly() throws IOException {
        Configuration sample = new Configuration(false);
        sample.addResource(Files.newInputStream(Path.of("../conf-samples/late/mapred-site.xml")));
        assertThat(LateConfig.of(sample).problems()).isEmpty();
        assertThat(sample.getClass(MRJobConfig.MR_AM_JOB_SPECULATOR, null)).isEqualTo(LateSpeculator.class);
    }

    /** A context that fails in one method and has no job. */
    @SuppressWarnings("rawtypes") // as Hadoop has it
    private static AppContext failing(String method) {
        EventHandler<Event> ignore = event -> {};
        Clock clock = () -> 0;
        return mock(AppContext.class, call -> {
            String called = call.getMethod().getName();
            if (called.equals(method)) {
                throw new IllegalStateException("the test lets " + call + " fail");
            }
            return switch (called) {
                case "getEventHandler" -> ignore;
                case "getClock" -> clock;
                default -> null;
            };
        });
    }
}
