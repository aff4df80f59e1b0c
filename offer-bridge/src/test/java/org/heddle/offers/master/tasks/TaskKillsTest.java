// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.heddle.offers.master.tasks.TaskFixture.START;
import static org.heddle.offers.master.tasks.TaskFixture.command;
import static org.heddle.offers.master.tasks.TaskFixture.custom;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.mesos.v1.Protos.AgentID;
import org.apache.mesos.v1.Protos.DurationInfo;
import org.apache.mesos.v1.Protos.ExecutorID;
import org.apache.mesos.v1.Protos.ExecutorInfo;
import org.apache.mesos.v1.Protos.KillPolicy;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.Protos.TaskStatus.Reason;
import org.apache.mesos.v1.executor.Protos.Event;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.heddle.offers.agent.AgentProtocol;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.ContainerPhase;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.FrameworkExecutor;
import org.heddle.offers.master.state.FrameworkTask;
import org.heddle.offers.wire.Encoding;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** KILL and SHUTDOWN in {@link TaskTracker}: of tasks that run, have not begun, have ended, or do not exist. */
class TaskKillsTest {
    private TaskFixture fixture;

    @BeforeEach
    void begin(@TempDir Path directory) throws IOException {
        fixture = new TaskFixture(directory);
    }

    @AfterEach
    void end() throws IOException {
        fixture.close();
    }

    private static Call.Kill.Builder kill(String taskId) {
        return Call.Kill.newBuilder().setTaskId(TaskID.newBuilder().setValue(taskId));
    }

    private void kill(Framework framework, Call.Kill.Builder kill) {
        fixture.at(START, change -> fixture.tasks.kill(change, framework, kill.build()));
    }

    private static KillPolicy grace(long millis) {
        return KillPolicy.newBuilder()
                .setGracePeriod(DurationInfo.newBuilder().setNanoseconds(millis * 1_000_000))
                .build();
    }

    @ParameterizedTest(name = "capable {0}, names an agent {1}: {2}")
    @CsvSource({"true, false, TASK_UNKNOWN", "true, true, TASK_UNKNOWN", "false, true, TASK_LOST"})
    void anUnknownTask(boolean capable, boolean agent, TaskState state) {
        Framework framework = capable ? fixture.framework : fixture.framework("old");
        Call.Kill.Builder kill = kill("x");
        if (agent) {
            kill.setAgentId(AgentID.newBuilder().setValue("some"));
        }
        kill(framework, kill);
        assertThat(fixture.updates()).singleElement().satisfies(status -> {
            assertThat(status.getState()).isEqualTo(state);
            assertThat(status.getReason()).isEqualTo(Reason.REASON_RECONCILIATION);
            assertThat(status.getMessage()).isEqualTo("Attempted to kill an unknown task");
            assertThat(status.getAgentId().getValue()).isEqualTo(agent ? "some" : "");
            assertThat(status.hasUuid()).isFalse();
        });
    }

    @Test
    void aTaskOfAnotherFrameworkIsUnknown() {
        AgentContainer container = fixture.running("c");
        FrameworkTask task = fixture.launched(command("t", container, 1000, 512), container);
        kill(fixture.framework("stranger"), kill("t"));
        assertThat(fixture.updates()).extracting(TaskStatus::getState).containsExactly(TaskState.TASK_LOST);
        assertThat(task.isKilled()).isFalse();
        assertThat(fixture.frames).isEmpty();
    }

    @ParameterizedTest(name = "the call says {0} and the task {1}: {2} ms")
    @CsvSource({"none, none, 3000", "none, 700, 700", "50, 700, 50", "0, 700, 0", "50, none, 50", "-1, 700, 0"})
    void theGracePeriodOfARunningTask(String called, String own, long millis) {
        AgentContainer container = fixture.running("c");
        TaskInfo.Builder info = command("t", container, 1000, 512).toBuilder();
        if (!own.equals("none")) {
            info.setKillPolicy(grace(Long.parseLong(own)));
        }
        FrameworkTask task = fixture.launched(info.build(), container);
        Call.Kill.Builder kill = kill("t");
        if (!called.equals("none")) {
            kill.setKillPolicy(grace(Long.parseLong(called)));
        }
        kill(fixture.framework, kill);
        assertThat(fixture.frames(AgentProtocol.KILL)).containsExactly("t/t");
        assertThat(fixture.graces()).containsExactly(millis);
        assertThat(task.isKilled()).isTrue();
        assertThat(fixture.updates()).as("the agent tells the end").isEmpty();
    }

    @Test
    void aTaskWhoseAgentHasNotStartedIsKilledAtOnce() {
        AgentContainer container = fixture.allocated("c");
        container.setPhase(ContainerPhase.STARTING);
        FrameworkTask task = fixture.launched(custom("t", container, "e"), container);
        FrameworkTask other = fixture.launched(custom("other", container, "e"), container);
        kill(fixture.framework, kill("t"));
        assertThat(fixture.updates()).singleElement().satisfies(status -> {
            assertThat(status.getState()).isEqualTo(TaskState.TASK_KILLED);
            assertThat(status.getReason()).isEqualTo(Reason.REASON_TASK_KILLED_DURING_LAUNCH);
            assertThat(status.hasUuid()).isTrue();
        });
        assertThat(task.ended()).isTrue();
        assertThat(other.ended()).isFalse();
        assertThat(container.executors()).as("the other task needs it").containsOnlyKeys("e");
        kill(fixture.framework, kill("other"));
        assertThat(container.executors()).as("nobody needs it").isEmpty();
    }

    /** Its agent came to the bridge before this one, so its process runs, and must be told. */
    @Test
    void aTaskWhoseAgentIsAwayIsKilledWhenTheAgentIsBack() {
        AgentContainer container = fixture.allocated("c");
        container.setPhase(ContainerPhase.STARTING);
        container.setSeen(true);
        FrameworkTask task = fixture.launched(command("t", container, 1000, 512), container);
        kill(fixture.framework, kill("t"));
        assertThat(task.isKilled()).isTrue();
        assertThat(task.ended()).isFalse();
        assertThat(fixture.updates()).isEmpty();
    }

    @Test
    void aTaskThatHasEndedIsNotKilled() {
        AgentContainer container = fixture.running("c");
        FrameworkTask task = fixture.launched(command("t", container, 1000, 512), container);
        fixture.at(START, change -> fixture.tasks.processEnded(change, task, 1, 0, false, false, ""));
        fixture.updates();
        kill(fixture.framework, kill("t"));
        assertThat(fixture.updates()).isEmpty();
        assertThat(fixture.frames(AgentProtocol.KILL)).isEmpty();
        assertThat(task.isKilled()).isFalse();
    }

    @Test
    void aTaskOfAnExecutorIsKilledByItsExecutor() {
        AgentContainer container = fixture.running("c");
        fixture.launched(custom("t", container, "e"), container);
        container.executors().values().forEach(executor -> executor.setEncoding(Encoding.PROTOBUF));
        kill(fixture.framework, kill("t").setKillPolicy(grace(50)));
        assertThat(fixture.frames(AgentProtocol.KILL)).isEmpty();
        assertThat(fixture.executorEvents()).singleElement().satisfies(event -> {
            assertThat(event.getType()).isEqualTo(Event.Type.KILL);
            assertThat(event.getKill().getTaskId().getValue()).isEqualTo("t");
            assertThat(event.getKill().getKillPolicy()).isEqualTo(grace(50));
        });
    }

    // ---- groups and executors ----

    private static TaskInfo underDefault(String id, AgentContainer container, String executor) {
        return command(id, container, 500, 64).toBuilder()
                .setExecutor(ExecutorInfo.newBuilder()
                        .setType(ExecutorInfo.Type.DEFAULT)
                        .setExecutorId(ExecutorID.newBuilder().setValue(executor)))
                .build();
    }

    @ParameterizedTest(name = "code {0}, killed {1}: the other one is killed {2}")
    @CsvSource({"0, false, false", "1, false, true", "143, true, true"})
    void theEndOfATaskOfAGroup(int code, boolean killed, boolean others) {
        AgentContainer container = fixture.running("c");
        FrameworkTask first = fixture.launched(underDefault("g1", container, "d"), container, "group");
        FrameworkTask second = fixture.launched(underDefault("g2", container, "d"), container, "group");
        FrameworkTask alone = fixture.launched(command("alone", container, 500, 64), container);
        fixture.at(START, change -> fixture.tasks.processEnded(change, first, 1, code, killed, false, ""));
        assertThat(second.isKilled()).isEqualTo(others);
        assertThat(alone.isKilled()).isFalse();
        assertThat(fixture.frames(AgentProtocol.KILL)).hasSize(others ? 1 : 0);
    }

    @ParameterizedTest(name = "{0} on {1}: killed {2}")
    @CsvSource({"d, here, true", "x, here, false", "d, elsewhere, false"})
    void aShutdownOfTheDefaultExecutorKillsItsTasks(String executor, String agent, boolean killed) {
        AgentContainer container = fixture.running("c");
        FrameworkTask task = fixture.launched(underDefault("g1", container, "d"), container, "group");
        FrameworkTask command = fixture.launched(command("d", container, 500, 64), container);
        String agentId = agent.equals("here") ? container.agentId() : agent;
        fixture.at(START, change -> fixture.tasks.shutdown(change, fixture.framework, agentId, executor));
        assertThat(task.isKilled()).isEqualTo(killed);
        assertThat(command.isKilled()).as("a command of that name").isFalse();
    }

    @Test
    void aTaskWhoseExecutorEndedBeforeItBeganIsDropped() {
        AgentContainer container = fixture.running("c");
        FrameworkTask task = fixture.launched(custom("t", container, "e"), container);
        FrameworkExecutor executor = container.executors().get("e");
        assertThat(executor).isNotNull();
        fixture.state.remove(executor);
        fixture.at(START, change -> fixture.tasks.start(change, task));
        assertThat(fixture.updates()).singleElement().satisfies(status -> {
            assertThat(status.getState()).isEqualTo(TaskState.TASK_DROPPED);
            assertThat(status.getReason()).isEqualTo(Reason.REASON_EXECUTOR_TERMINATED);
        });
    }
}
