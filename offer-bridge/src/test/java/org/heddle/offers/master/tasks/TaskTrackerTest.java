// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.heddle.offers.master.tasks.TaskFixture.START;
import static org.heddle.offers.master.tasks.TaskFixture.command;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.mesos.v1.Protos.AgentID;
import org.apache.mesos.v1.Protos.CheckInfo;
import org.apache.mesos.v1.Protos.CommandInfo;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.Protos.TaskStatus.Reason;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.heddle.offers.TestClocks;
import org.heddle.offers.agent.AgentProtocol;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.Counters.Counter;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.FrameworkTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The updates of tasks, from the agent's event to the framework's acknowledgement, and the calls about tasks. */
class TaskTrackerTest {
    private static final long RETRY = 2_000;

    private TaskFixture fixture;
    private AgentContainer container;
    private FrameworkTask task;

    @BeforeEach
    void begin(@TempDir Path directory) throws IOException {
        fixture = new TaskFixture(directory);
        container = fixture.running("c");
        task = fixture.launched(
                command("t", container, 1000, 512).toBuilder()
                        .setCheck(CheckInfo.newBuilder()
                                .setType(CheckInfo.Type.COMMAND)
                                .setCommand(CheckInfo.Command.newBuilder()
                                        .setCommand(CommandInfo.newBuilder().setValue("true"))))
                        .build(),
                container);
    }

    @AfterEach
    void end() throws IOException {
        fixture.close();
    }

    private void started(long seq) {
        fixture.at(START, change -> fixture.tasks.processStarted(change, task, seq, 4711));
    }

    private void exited(long seq, int code) {
        fixture.at(START, change -> fixture.tasks.processEnded(change, task, seq, code, false, false, ""));
    }

    private void acknowledge(String taskId, ByteString uuid) {
        Call.Acknowledge acknowledge = Call.Acknowledge.newBuilder()
                .setAgentId(AgentID.newBuilder().setValue(container.agentId()))
                .setTaskId(TaskID.newBuilder().setValue(taskId))
                .setUuid(uuid)
                .build();
        fixture.at(START + 1, change -> fixture.tasks.acknowledge(change, fixture.framework, acknowledge));
    }

    private TaskStatus onlyUpdate() {
        return assertThat(fixture.updates()).singleElement().actual();
    }

    private long counted(Counter counter) {
        return fixture.counters.events().getOrDefault(counter, 0L);
    }

    // ---- updates ----

    @Test
    void oneUpdateAtATimeIsSentUntilTheLastOneIsAcknowledged() {
        started(1);
        TaskStatus running = onlyUpdate();
        assertThat(running.getState()).isEqualTo(TaskState.TASK_RUNNING);
        assertThat(running.getSource()).isEqualTo(TaskStatus.Source.SOURCE_EXECUTOR);
        assertThat(running.getAgentId().getValue()).isEqualTo(container.agentId());
        assertThat(running.getExecutorId().getValue()).isEqualTo("t");
        assertThat(running.getUuid().size()).isEqualTo(16);
        assertThat(running.getContainerStatus().getExecutorPid()).isEqualTo(4711);
        assertThat(running.getContainerStatus()
                        .getNetworkInfos(0)
                        .getIpAddresses(0)
                        .getIpAddress())
                .isEqualTo("10.0.0.7");
        assertThat(running.getCheckStatus().hasCommand()).isTrue();

        exited(2, 0);
        assertThat(fixture.updates()).as("the first one is not acknowledged").isEmpty();
        assertThat(task.ended()).isTrue();
        assertThat(container.free()).isEqualTo(container.total());
        assertThat(container.offer()).as("of what is free").isNotNull();
        assertThat(fixture.frames(AgentProtocol.SETTLE)).isEmpty();

        acknowledge("t", running.getUuid());
        TaskStatus finished = onlyUpdate();
        assertThat(finished.getState()).isEqualTo(TaskState.TASK_FINISHED);
        assertThat(finished.getUuid()).isNotEqualTo(running.getUuid());
        assertThat(fixture.frames(AgentProtocol.SETTLE)).containsExactly("1");
        assertThat(fixture.framework.tasks()).containsKey("t");

        acknowledge("t", finished.getUuid());
        assertThat(fixture.updates()).isEmpty();
        assertThat(fixture.frames(AgentProtocol.SETTLE)).containsExactly("1", "2");
        assertThat(fixture.framework.tasks()).isEmpty();
        assertThat(fixture.framework.completed()).containsExactly(task);
        assertThat(counted(Counter.UPDATES_ACKNOWLEDGED)).isEqualTo(2);
    }

    @ParameterizedTest(name = "code {0}, killed {1}, memory {2}, reason {3}")
    @CsvSource(
            delimiter = '|',
            value = {
                "0   | false | false | ''       | FINISHED |                             | exited with status 0",
                "3   | false | false | ''       | FAILED   | COMMAND_EXECUTOR_FAILED     | exited with status 3",
                "137 | false | false | ''       | FAILED   | COMMAND_EXECUTOR_FAILED     | terminated with signal 9",
                "143 | true  | false | ''       | KILLED   |                             | terminated with signal 15",
                "0   | true  | false | ''       | KILLED   |                             | exited with status 0",
                "137 | false | true  | too much | FAILED   | CONTAINER_LIMITATION_MEMORY | too much",
                "137 | true  | true  | too much | FAILED   | CONTAINER_LIMITATION_MEMORY | too much",
                "143 | false | false | too long | FAILED   | MAX_COMPLETION_TIME_REACHED | too long"
            })
    void howAProcessEnds(
            int code,
            boolean killed,
            boolean outOfMemory,
            String why,
            String state,
            @Nullable String reason,
            String message) {
        fixture.at(START, change -> fixture.tasks.processEnded(change, task, 1, code, killed, outOfMemory, why));
        TaskStatus status = onlyUpdate();
        assertThat(status.getState()).isEqualTo(TaskState.valueOf("TASK_" + state));
        assertThat(status.hasReason()).isEqualTo(reason != null);
        if (reason != null) {
            assertThat(status.getReason()).isEqualTo(Reason.valueOf("REASON_" + reason));
        }
        assertThat(status.getMessage()).endsWith(message);
    }

    @Test
    void aProcessThatCannotStartFails() {
        fixture.at(START, change -> fixture.tasks.processNotStarted(change, task, 1, "no such file"));
        TaskStatus status = onlyUpdate();
        assertThat(status.getState()).isEqualTo(TaskState.TASK_FAILED);
        assertThat(status.getReason()).isEqualTo(Reason.REASON_CONTAINER_LAUNCH_FAILED);
        assertThat(status.getMessage()).isEqualTo("no such file");
    }

    /** Agents tell an event again until it is settled. */
    @Test
    void anEventThatIsToldAgainMakesOneUpdate() {
        started(1);
        started(1);
        ByteString uuid = onlyUpdate().getUuid();
        assertThat(fixture.frames(AgentProtocol.SETTLE))
                .as("not before the framework knows")
                .isEmpty();
        acknowledge("t", uuid);
        started(1);
        assertThat(fixture.updates()).isEmpty();
        assertThat(fixture.frames(AgentProtocol.SETTLE)).containsExactly("1", "1");
    }

    @Test
    void nothingFollowsTheEnd() {
        exited(1, 0);
        started(2);
        assertThat(onlyUpdate().getState()).isEqualTo(TaskState.TASK_FINISHED);
        assertThat(task.pending()).hasSize(1);
        assertThat(fixture.frames(AgentProtocol.SETTLE))
                .as("told, and of no use")
                .containsExactly("2");
    }

    @Test
    void theResultOfACheckCountsWhileTheTaskRuns() {
        fixture.at(START, change -> fixture.tasks.probed(change, task, 1, false, true, 3));
        assertThat(fixture.updates()).isEmpty();
        assertThat(fixture.frames(AgentProtocol.SETTLE)).containsExactly("1");
        started(2);
        acknowledge("t", onlyUpdate().getUuid());
        fixture.at(START, change -> fixture.tasks.probed(change, task, 3, true, false, 0));
        TaskStatus sick = onlyUpdate();
        assertThat(sick.getHealthy()).isFalse();
        assertThat(sick.getReason()).isEqualTo(Reason.REASON_TASK_HEALTH_CHECK_STATUS_UPDATED);
        acknowledge("t", sick.getUuid());
        fixture.at(START, change -> fixture.tasks.probed(change, task, 4, false, true, 3));
        TaskStatus checked = onlyUpdate();
        assertThat(checked.getCheckStatus().getCommand().getExitCode()).isEqualTo(3);
        assertThat(checked.hasHealthy()).as("the health is kept").isTrue();
        assertThat(checked.getContainerStatus().getExecutorPid()).isEqualTo(4711);
    }

    // ---- acknowledgements ----

    @ParameterizedTest
    @ValueSource(
            strings = {"unknown task", "unknown uuid", "empty uuid", "uuid of the next update", "of another framework"})
    void anAcknowledgementOfSomethingElseIsIgnored(String what) {
        started(1);
        exited(2, 0);
        ByteString first = onlyUpdate().getUuid();
        ByteString second = Objects.requireNonNull(task.pending().peekLast()).uuid();
        switch (what) {
            case "unknown task" -> acknowledge("x", first);
            case "unknown uuid" -> acknowledge("t", ByteString.copyFromUtf8("0123456789abcdef"));
            case "empty uuid" -> acknowledge("t", ByteString.EMPTY);
            case "uuid of the next update" -> acknowledge("t", second);
            default -> {
                Framework stranger = fixture.framework("stranger");
                Call.Acknowledge foreign = Call.Acknowledge.newBuilder()
                        .setAgentId(AgentID.newBuilder().setValue(container.agentId()))
                        .setTaskId(task.info().getTaskId())
                        .setUuid(first)
                        .build();
                fixture.at(START, change -> fixture.tasks.acknowledge(change, stranger, foreign));
            }
        }
        assertThat(task.pending()).hasSize(2);
        assertThat(fixture.updates()).isEmpty();
        assertThat(fixture.frames(AgentProtocol.SETTLE)).isEmpty();
        assertThat(counted(Counter.UPDATES_ACKNOWLEDGED)).isZero();
    }

    @Test
    void aSecondAcknowledgementDoesNotAcknowledgeTheNextUpdate() {
        started(1);
        exited(2, 0);
        ByteString first = onlyUpdate().getUuid();
        acknowledge("t", first);
        acknowledge("t", first);
        assertThat(task.pending()).hasSize(1);
        assertThat(onlyUpdate().getState()).isEqualTo(TaskState.TASK_FINISHED);
    }

    private void resend(long now) {
        fixture.at(now, change -> fixture.tasks.resend(change, fixture.framework, RETRY));
    }

    @Test
    void theOldestUpdateIsSentAgainUntilItIsAcknowledged() {
        started(1);
        exited(2, 0);
        TaskStatus first = onlyUpdate();
        resend(START + RETRY - 1);
        assertThat(fixture.updates()).isEmpty();
        resend(START + RETRY);
        assertThat(fixture.updates()).as("only the oldest one").containsExactly(first);
        resend(START + 2 * RETRY - 1);
        assertThat(fixture.updates()).as("counted from the last time").isEmpty();
        resend(START + 2 * RETRY);
        assertThat(fixture.updates()).containsExactly(first);
        acknowledge("t", first.getUuid());
        acknowledge("t", onlyUpdate().getUuid());
        resend(START + 10 * RETRY);
        assertThat(fixture.updates()).isEmpty();
    }

    @Test
    void updatesWaitForAFrameworkThatIsAway() {
        var stream = Objects.requireNonNull(fixture.framework.disconnect());
        started(1);
        resend(START + RETRY);
        assertThat(fixture.updates()).isEmpty();
        fixture.framework.connect("again", stream, START + 3 * RETRY);
        resend(START + 3 * RETRY);
        assertThat(onlyUpdate().getState()).isEqualTo(TaskState.TASK_RUNNING);
    }

    // ---- RECONCILE ----

    private void reconcile(Framework framework, Call.Reconcile.Builder reconcile) {
        fixture.at(START + 5, change -> fixture.tasks.reconcile(change, framework, reconcile.build()));
    }

    private static Call.Reconcile.Builder about(String taskId, String agentId) {
        Call.Reconcile.Task.Builder asked =
                Call.Reconcile.Task.newBuilder().setTaskId(TaskID.newBuilder().setValue(taskId));
        if (!agentId.isEmpty()) {
            asked.setAgentId(AgentID.newBuilder().setValue(agentId));
        }
        return Call.Reconcile.newBuilder().addTasks(asked);
    }

    @ParameterizedTest(name = "named: {0}")
    @ValueSource(booleans = {true, false})
    void theLatestStateIsToldWithoutAnAcknowledgement(boolean named) {
        started(1);
        fixture.updates();
        reconcile(fixture.framework, named ? about("t", "") : Call.Reconcile.newBuilder());
        TaskStatus status = onlyUpdate();
        assertThat(status.getState()).isEqualTo(TaskState.TASK_RUNNING);
        assertThat(status.getReason()).isEqualTo(Reason.REASON_RECONCILIATION);
        assertThat(status.getSource()).isEqualTo(TaskStatus.Source.SOURCE_MASTER);
        assertThat(status.hasUuid()).isFalse();
        assertThat(status.getContainerStatus().getExecutorPid()).isEqualTo(4711);
        assertThat(status.getTimestamp()).isEqualTo(TestClocks.date(START + 5) / 1000.0);
        assertThat(task.pending()).as("not a new update").hasSize(1);
    }

    @Test
    void aTaskThatDoesNotRunYetIsReconciledAsStaging() {
        reconcile(fixture.framework, Call.Reconcile.newBuilder());
        assertThat(onlyUpdate().getState()).isEqualTo(TaskState.TASK_STAGING);
    }

    /** A framework that does not know partitions knows of lost tasks only. */
    @ParameterizedTest(name = "capable {0}, agent {1}: {2}")
    @CsvSource({
        "true,  '',    TASK_UNKNOWN",
        "true,  other, TASK_UNKNOWN",
        "true,  known, TASK_GONE",
        "false, '',    TASK_LOST",
        "false, known, TASK_LOST"
    })
    void anUnknownTaskIsReconciled(boolean capable, String agent, TaskState state) {
        Framework framework = capable ? fixture.framework : fixture.framework("old");
        reconcile(framework, about("x", agent.equals("known") ? container.agentId() : agent));
        TaskStatus status = onlyUpdate();
        assertThat(status.getState()).isEqualTo(state);
        assertThat(status.getTaskId().getValue()).isEqualTo("x");
        assertThat(status.getReason()).isEqualTo(Reason.REASON_RECONCILIATION);
        assertThat(status.hasAgentId()).isEqualTo(!agent.isEmpty());
    }
}
