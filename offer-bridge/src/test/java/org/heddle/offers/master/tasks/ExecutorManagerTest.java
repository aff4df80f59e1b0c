// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.heddle.offers.master.tasks.TaskFixture.NODE;
import static org.heddle.offers.master.tasks.TaskFixture.START;
import static org.heddle.offers.master.tasks.TaskFixture.command;
import static org.heddle.offers.master.tasks.TaskFixture.custom;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.mesos.v1.Protos.CommandInfo;
import org.apache.mesos.v1.Protos.DurationInfo;
import org.apache.mesos.v1.Protos.ExecutorID;
import org.apache.mesos.v1.Protos.ExecutorInfo;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.executor.Protos.Call;
import org.apache.mesos.v1.executor.Protos.Event;
import org.heddle.offers.TestClocks;
import org.heddle.offers.agent.AgentProtocol;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.Counters.Counter;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.FrameworkExecutor;
import org.heddle.offers.master.state.FrameworkTask;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.master.state.StateChanges;
import org.heddle.offers.model.Resources;
import org.heddle.offers.policy.TaskPlacement;
import org.heddle.offers.wire.Encoding;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Executors that several tasks share: their start, their events, and what their end means for the tasks. */
class ExecutorManagerTest {
    private static final Resources TASK = Resources.of(1000, 512);
    private static final Resources EXECUTOR = Resources.of(500, 128);

    private TaskFixture fixture;
    private AgentContainer home;

    @BeforeEach
    void begin(@TempDir Path directory) throws IOException {
        fixture = new TaskFixture(directory);
        home = fixture.running("home");
    }

    @AfterEach
    void end() throws IOException {
        fixture.close();
    }

    private FrameworkTask launched(String id, AgentContainer container) {
        return fixture.launched(custom(id, container, "e"), container);
    }

    private FrameworkExecutor executor() {
        return Objects.requireNonNull(home.executors().get("e"));
    }

    private Call.Builder call(Call.Type type) {
        return Call.newBuilder()
                .setType(type)
                .setFrameworkId(FrameworkID.newBuilder().setValue(fixture.framework.id()))
                .setExecutorId(ExecutorID.newBuilder().setValue("e"));
    }

    /** The executor's call, as its agent passes it on. */
    private void calls(long seq, Call.Builder call) {
        String type = Encoding.PROTOBUF.mediaType();
        fixture.at(
                START,
                change -> fixture.calls.call(
                        change, home, executor(), seq, type, type, call.build().toByteArray()));
    }

    private void subscribes() {
        calls(100, call(Call.Type.SUBSCRIBE).setSubscribe(Call.Subscribe.newBuilder()));
    }

    private void ends(long seq, int status) {
        FrameworkExecutor ending = executor();
        fixture.at(START, change -> fixture.calls.ended(change, home, ending, seq, status, "it is over"));
    }

    // ---- placement ----

    @Test
    void onlyTheFirstTaskOfAnExecutorNeedsItsResources() {
        List<TaskInfo> tasks = List.of(
                custom("t1", home, "e"), custom("t2", home, "e"), custom("t3", home, "f"), command("t4", home, 1, 1));
        List<Resources> needs = List.of(TASK, TASK, TASK, TASK);
        Resources both = TASK.plus(EXECUTOR);
        assertThat(fixture.executors.withExecutors(fixture.framework, home.agentId(), tasks, needs))
                .containsExactly(both, TASK, both, TASK);
        launched("t0", home);
        assertThat(fixture.executors.withExecutors(fixture.framework, home.agentId(), tasks, needs))
                .as("e is there")
                .containsExactly(TASK, TASK, both, TASK);
    }

    @Test
    void tasksInSeveralContainersOfANodeShareOneExecutor() {
        AgentContainer second = fixture.running("second");
        AgentContainer far = fixture.allocated("far", fixture.role, "elsewhere:1");
        FrameworkTask first = launched("t1", home);
        FrameworkTask other = launched("t2", second);
        launched("t3", far);
        assertThat(home.executors()).containsOnlyKeys("e");
        assertThat(second.executors()).isEmpty();
        assertThat(far.executors()).as("another node").containsOnlyKeys("e");
        assertThat(first.reporter()).isSameAs(home);
        assertThat(other.reporter()).as("the agent of the executor").isSameAs(home);
        assertThat(home.used()).isEqualTo(TASK.plus(EXECUTOR));
        assertThat(second.used()).isEqualTo(TASK);
        assertThat(fixture.frames(AgentProtocol.LAUNCH)).as("one process").containsExactly("e/e");
        assertThat(fixture.counters.events()).containsEntry(Counter.EXECUTORS_LAUNCHED, 2L);
    }

    @Test
    void frameworksHaveExecutorsOfTheirOwn() {
        launched("t1", home);
        Framework stranger = fixture.framework("stranger");
        AgentContainer theirs = fixture.allocated("theirs", fixture.state.addRole(stranger, "*"), NODE);
        fixture.launched(custom("t1", theirs, "e"), theirs);
        assertThat(theirs.executors().get("e")).isNotNull().isNotSameAs(executor());
    }

    @Test
    void aTaskGoesToTheOfferOfItsExecutor() {
        var none = fixture.offer(fixture.running("empty"));
        launched("t1", home);
        var has = fixture.offer(home);
        assertThat(fixture.executors.preferred(custom("t2", home, "e"), List.of(none, has)))
                .isOne();
        assertThat(fixture.executors.preferred(custom("t2", home, "f"), List.of(none, has)))
                .isEqualTo(TaskPlacement.NOWHERE);
        assertThat(fixture.executors.preferred(command("e", home, 1, 1), List.of(none, has)))
                .isEqualTo(TaskPlacement.NOWHERE);
    }

    @ParameterizedTest(name = "framework {0}, command {1}: {2}")
    @CsvSource({
        "'',    run,   ''",
        "owner, run,   ''",
        "x,     run,   ExecutorInfo has an invalid FrameworkID (Actual: x vs Expected: owner)",
        "'',    other, ExecutorInfo is not compatible with existing ExecutorInfo with same ExecutorID e"
    })
    void anExecutorOfTheSameNameMustBeTheSame(String framework, String command, String message) {
        launched("t1", home);
        TaskInfo.Builder task = custom("t2", home, "e").toBuilder();
        task.getExecutorBuilder().setCommand(CommandInfo.newBuilder().setValue(command));
        if (!framework.isEmpty()) {
            task.getExecutorBuilder().setFrameworkId(FrameworkID.newBuilder().setValue(framework));
        }
        String problem = fixture.executors.problem(task.build(), home.agentId(), fixture.framework);
        assertThat(problem == null ? "" : problem).isEqualTo(message);
        assertThat(fixture.executors.problem(task.build(), "other node", fixture.framework) == null)
                .as("on another node only the framework matters")
                .isEqualTo(!framework.equals("x"));
    }

    // ---- events to executors ----

    @Test
    void tasksWaitUntilTheExecutorSubscribes() {
        FrameworkTask first = launched("t1", home);
        FrameworkTask second = launched("t2", fixture.running("second"));
        FrameworkTask ended = launched("t3", home);
        for (FrameworkTask task : List.of(first, second, ended)) {
            fixture.at(START, change -> fixture.tasks.start(change, task));
        }
        fixture.at(
                START,
                change -> fixture.tasks.update(
                        change, ended, TaskState.TASK_KILLED, TaskStatus.Reason.REASON_TASK_KILLED_DURING_LAUNCH, ""));
        assertThat(fixture.frames(AgentProtocol.STREAM)).as("nobody listens").isEmpty();
        subscribes();
        assertThat(fixture.frames(AgentProtocol.HTTP_REPLY)).containsExactly("100");
        assertThat(fixture.executorEvents())
                .extracting(event -> event.getLaunch().getTask().getTaskId().getValue())
                .containsExactly("t1", "t2");
    }

    @Test
    void anUpdateOfTheExecutorIsAcknowledgedToIt() {
        FrameworkTask task = launched("t1", home);
        subscribes();
        ByteString uuid = ByteString.copyFromUtf8("0123456789abcdef");
        Call.Builder update = call(Call.Type.UPDATE)
                .setUpdate(Call.Update.newBuilder()
                        .setStatus(TaskStatus.newBuilder()
                                .setTaskId(task.info().getTaskId())
                                .setState(TaskState.TASK_RUNNING)
                                .setUuid(uuid)));
        calls(7, update);
        assertThat(fixture.updates()).singleElement().satisfies(status -> {
            assertThat(status.getUuid()).isEqualTo(uuid);
            assertThat(status.getSource()).isEqualTo(TaskStatus.Source.SOURCE_EXECUTOR);
            assertThat(status.getExecutorId().getValue()).isEqualTo("e");
        });
        fixture.frames.clear();
        fixture.at(
                START,
                change -> fixture.tasks.acknowledge(
                        change,
                        fixture.framework,
                        org.apache.mesos.v1.scheduler.Protos.Call.Acknowledge.newBuilder()
                                .setAgentId(task.info().getAgentId())
                                .setTaskId(task.info().getTaskId())
                                .setUuid(uuid)
                                .build()));
        assertThat(fixture.executorEvents()).singleElement().satisfies(event -> {
            assertThat(event.getType()).isEqualTo(Event.Type.ACKNOWLEDGED);
            assertThat(event.getAcknowledged().getUuid()).isEqualTo(uuid);
        });
        assertThat(fixture.frames(AgentProtocol.SETTLE)).containsExactly("7");
        calls(8, update);
        assertThat(fixture.updates()).as("the executor repeats it").isEmpty();
        assertThat(fixture.executorEvents()).as("and is told again").hasSize(2);
    }

    @ParameterizedTest(name = "framework {0}, executor {1}, agent {2}, subscribed {3}: {4}")
    @CsvSource({
        "owner,    e, here,      true,  true",
        "owner,    e, here,      false, false",
        "owner,    x, here,      true,  false",
        "owner,    e, elsewhere, true,  false",
        "stranger, e, here,      true,  false"
    })
    void messagesToExecutors(String framework, String id, String agent, boolean subscribed, boolean arrives) {
        launched("t1", home);
        if (subscribed) {
            executor().setEncoding(Encoding.PROTOBUF);
        }
        Framework sender = framework.equals("owner") ? fixture.framework : fixture.framework(framework);
        ByteString data = ByteString.copyFromUtf8("hello");
        String agentId = agent.equals("here") ? home.agentId() : agent;
        fixture.at(START, change -> fixture.executors.message(change, sender, agentId, id, data));
        assertThat(fixture.executorEvents())
                .extracting(event -> event.getMessage().getData())
                .containsExactlyElementsOf(arrives ? List.of(data) : List.of());
    }

    @Test
    void messagesOfExecutors() {
        launched("t1", home);
        calls(
                1,
                call(Call.Type.MESSAGE)
                        .setMessage(Call.Message.newBuilder().setData(ByteString.copyFromUtf8("hello"))));
        assertThat(fixture.events).singleElement().satisfies(event -> {
            assertThat(event.getMessage().getData().toStringUtf8()).isEqualTo("hello");
            assertThat(event.getMessage().getExecutorId().getValue()).isEqualTo("e");
            assertThat(event.getMessage().getAgentId().getValue()).isEqualTo(home.agentId());
        });
    }

    // ---- the end ----

    @Test
    void theEndOfAnExecutorEndsAllItsTasks() {
        AgentContainer second = fixture.running("second");
        FrameworkTask failed = launched("t1", home);
        FrameworkTask killed = launched("t2", second);
        FrameworkTask other = fixture.launched(command("t3", home, 500, 64), home);
        killed.setKilled(true);
        ends(5, 3 << 8);
        assertThat(fixture.updates())
                .extracting(status -> status.getTaskId().getValue(), TaskStatus::getState, TaskStatus::getReason)
                .containsExactlyInAnyOrder(
                        tuple("t1", TaskState.TASK_FAILED, TaskStatus.Reason.REASON_EXECUTOR_TERMINATED),
                        tuple("t2", TaskState.TASK_KILLED, TaskStatus.Reason.REASON_EXECUTOR_TERMINATED));
        assertThat(failed.latest())
                .isNotNull()
                .extracting(TaskStatus::getMessage)
                .isEqualTo("it is over");
        assertThat(other.ended()).isFalse();
        assertThat(home.executors()).isEmpty();
        assertThat(home.free()).isEqualTo(home.total().minus(Resources.of(500, 64)));
        assertThat(failure()).isEqualTo(3 << 8);
        assertThat(fixture.frames(AgentProtocol.SETTLE)).containsExactly("5");
    }

    /** The status in the FAILURE that the framework got. */
    private int failure() {
        return fixture.events.stream()
                .filter(org.apache.mesos.v1.scheduler.Protos.Event::hasFailure)
                .map(org.apache.mesos.v1.scheduler.Protos.Event::getFailure)
                .filter(one -> one.getExecutorId().getValue().equals("e")
                        && one.getAgentId().getValue().equals(home.agentId()))
                .mapToInt(org.apache.mesos.v1.scheduler.Protos.Event.Failure::getStatus)
                .findFirst()
                .orElse(-1);
    }

    @ParameterizedTest(name = "exit status {0}: {1}")
    @CsvSource({"-100, TASK_LOST", "-102, TASK_LOST", "-104, TASK_FAILED"})
    void aLostContainerTakesTheTasksOfItsExecutorsInOtherContainers(int exitStatus, TaskState state) {
        AgentContainer second = fixture.running("second");
        launched("t1", home);
        launched("t2", second);
        FrameworkTask alone = fixture.launched(command("t3", second, 500, 64), second);
        fixture.at(START, change -> fixture.agents.lost(change, fixture.role, "home", exitStatus, "gone"));
        assertThat(fixture.updates())
                .hasSize(2)
                .allSatisfy(status -> assertThat(status.getState()).isEqualTo(state));
        assertThat(alone.ended()).isFalse();
        assertThat(fixture.state.container("home")).isNull();
        assertThat(fixture.state.container("second")).isNotNull();
        assertThat(failure()).isEqualTo(9);
    }

    // ---- SHUTDOWN ----

    @Test
    void anExecutorThatIsShutDownGetsNoMoreTasks() {
        FrameworkTask task = launched("t1", home);
        subscribes();
        fixture.frames.clear();
        fixture.at(
                START,
                change -> assertThat(fixture.executors.shutdown(change, fixture.framework, home.agentId(), "e"))
                        .isTrue());
        assertThat(fixture.executorEvents()).extracting(Event::getType).containsExactly(Event.Type.SHUTDOWN);
        fixture.at(START, change -> {
            assertThat(fixture.executors.launch(change, task)).isFalse();
            assertThat(fixture.executors.shutdown(change, fixture.framework, home.agentId(), "e"))
                    .as("again")
                    .isFalse();
        });
        assertThat(fixture.executorEvents()).hasSize(1);
        ends(9, 0);
        assertThat(fixture.updates()).extracting(TaskStatus::getState).containsExactly(TaskState.TASK_FAILED);
    }

    @Test
    void anExecutorThatDoesNotEndIsKilledAfterFiveSeconds() throws Exception {
        launched("t1", home);
        fixture.at(START, change -> fixture.executors.shutdown(change, fixture.framework, home.agentId(), "e"));
        fixture.clock.set(START + 4_999);
        fixture.stateExecutor.start();
        changed();
        assertThat(fixture.frames(AgentProtocol.KILL)).isEmpty();
        fixture.clock.set(START + 5_000);
        changed(); // the thread has read the time before
        Await.until(
                "the kill",
                Duration.ofSeconds(20),
                () -> fixture.frames(AgentProtocol.KILL).equals(List.of("e/e")));
        assertThat(fixture.graces()).containsExactly(0L);
    }

    @Test
    void theExecutorsOwnGraceCountsAndItsSuccessorIsNotKilled() throws Exception {
        FrameworkTask task = launched("t1", home);
        fixture.at(START, change -> fixture.executors.shutdown(change, fixture.framework, home.agentId(), "e"));
        assertThat(fixture.executors.problem(task.info(), home.agentId(), fixture.framework))
                .isEqualTo("Executor e is shutting down: launch the task again when it has ended, which FAILURE tells");
        ends(0, 0);
        launched("t2", home);
        fixture.clock.set(START + 5_000);
        fixture.stateExecutor.start();
        changed();
        changed();
        assertThat(fixture.frames(AgentProtocol.KILL)).isEmpty();
        DurationInfo grace =
                DurationInfo.newBuilder().setNanoseconds(15_000_000_000L).build();
        ExecutorInfo patient = TaskFixture.executor("e").toBuilder()
                .setShutdownGracePeriod(grace)
                .build();
        assertThat(ExecutorManager.graceMillis(patient)).isEqualTo(15_000);
    }

    /** Waits until a change and all before it have had their effects. */
    private void changed() throws Exception {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        fixture.stateExecutor.post(change -> change.after(() -> done.complete(true)));
        assertThat(done.get(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void nothingIsShutDownWithoutAnExecutor() {
        StateChange change = TestClocks.change(START);
        assertThat(fixture.executors.shutdown(change, fixture.framework, home.agentId(), "e"))
                .isFalse();
        StateChanges.runEffects(change);
        assertThat(fixture.frames).isEmpty();
    }
}
