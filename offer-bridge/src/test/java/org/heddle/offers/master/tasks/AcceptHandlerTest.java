// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.heddle.offers.master.tasks.TaskFixture.NODE;
import static org.heddle.offers.master.tasks.TaskFixture.SIZE;
import static org.heddle.offers.master.tasks.TaskFixture.START;
import static org.heddle.offers.master.tasks.TaskFixture.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.mesos.v1.Protos.AgentID;
import org.apache.mesos.v1.Protos.CommandInfo;
import org.apache.mesos.v1.Protos.DurationInfo;
import org.apache.mesos.v1.Protos.ExecutorID;
import org.apache.mesos.v1.Protos.ExecutorInfo;
import org.apache.mesos.v1.Protos.Filters;
import org.apache.mesos.v1.Protos.Offer.Operation;
import org.apache.mesos.v1.Protos.OfferID;
import org.apache.mesos.v1.Protos.Resource;
import org.apache.mesos.v1.Protos.TaskGroupInfo;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.TestClocks;
import org.heddle.offers.agent.AgentProtocol;
import org.heddle.offers.fixture.WireClient;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.ContainerPhase;
import org.heddle.offers.master.state.Counters.Counter;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.FrameworkRole;
import org.heddle.offers.master.state.OutstandingOffer;
import org.heddle.offers.model.Resources;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What an ACCEPT starts, what of it is refused and with which update, and what becomes of the rest of the offers. */
class AcceptHandlerTest {
    private TaskFixture fixture;
    /** Containers whose agents were started. */
    private final List<String> started = new ArrayList<>();

    @BeforeEach
    void begin(@TempDir Path directory) throws IOException {
        fixture = new TaskFixture(directory);
    }

    @AfterEach
    void end() throws IOException {
        fixture.close();
    }

    private void accept(Call.Accept.Builder accept) {
        accept(fixture.framework, accept);
    }

    private void accept(Framework framework, Call.Accept.Builder accept) {
        fixture.at(
                START,
                change -> fixture.accepts.accept(change, framework, accept.build(), (starting, container) -> {
                    container.setPhase(ContainerPhase.STARTING);
                    started.add(container.id());
                }));
    }

    private static Call.Accept.Builder of(String... offers) {
        Call.Accept.Builder accept = Call.Accept.newBuilder();
        Arrays.stream(offers)
                .forEach(id -> accept.addOfferIds(OfferID.newBuilder().setValue(id)));
        return accept;
    }

    private static Operation launch(TaskInfo... tasks) {
        return Operation.newBuilder()
                .setType(Operation.Type.LAUNCH)
                .setLaunch(Operation.Launch.newBuilder().addAllTaskInfos(List.of(tasks)))
                .build();
    }

    private static Operation group(TaskInfo... tasks) {
        return Operation.newBuilder()
                .setType(Operation.Type.LAUNCH_GROUP)
                .setLaunchGroup(Operation.LaunchGroup.newBuilder()
                        .setExecutor(ExecutorInfo.newBuilder()
                                .setType(ExecutorInfo.Type.DEFAULT)
                                .setExecutorId(ExecutorID.newBuilder().setValue("default")))
                        .setTaskGroup(TaskGroupInfo.newBuilder().addAllTasks(List.of(tasks))))
                .build();
    }

    private long counted(Counter counter) {
        return fixture.counters.events().getOrDefault(counter, 0L);
    }

    // ---- offers that cannot be accepted ----

    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "''                           | No offers specified",
                "unknown                      | Offer unknown is no longer valid",
                "offer-rescinded              | Offer offer-rescinded is no longer valid",
                "offer-foreign                | Offer offer-foreign is no longer valid",
                "offer-good unknown           | Offer unknown is no longer valid",
                "offer-good offer-good        | Duplicate offer offer-good in offer list",
                "offer-good offer-far         | Aggregated offers must belong to one single agent",
                "offer-good offer-other-role  | Aggregated offers must be allocated to the same role"
            })
    void aTaskOnOffersThatCannotBeAcceptedIsDropped(String offers, String message) {
        AgentContainer good = fixture.allocated("good");
        fixture.offer(good);
        fixture.offer(fixture.allocated("far", fixture.role, "elsewhere:1"));
        FrameworkRole otherRole = fixture.state.addRole(fixture.framework, "other");
        fixture.offer(fixture.allocated("other-role", otherRole, NODE));
        FrameworkRole stranger = fixture.state.addRole(fixture.framework("stranger"), "*");
        OutstandingOffer foreign = fixture.offer(fixture.allocated("foreign", stranger, NODE));
        OutstandingOffer rescinded = fixture.offer(fixture.running("rescinded"));
        fixture.at(START, change -> fixture.offers.rescind(change, rescinded));

        String[] named = offers.isEmpty() ? new String[0] : offers.split(" ");
        accept(of(named).addOperations(launch(command("t", good, 1000, 512))));

        assertThat(fixture.updates()).singleElement().satisfies(status -> {
            assertThat(status.getState()).isEqualTo(TaskState.TASK_DROPPED);
            assertThat(status.getReason()).isEqualTo(TaskStatus.Reason.REASON_INVALID_OFFERS);
            assertThat(status.getSource()).isEqualTo(TaskStatus.Source.SOURCE_MASTER);
            assertThat(status.getTaskId().getValue()).isEqualTo("t");
            assertThat(status.getAgentId().getValue()).isEqualTo(good.agentId());
            assertThat(status.getMessage()).isEqualTo(message);
            assertThat(status.getTimestamp()).isEqualTo(TestClocks.date(START) / 1000.0);
            assertThat(status.hasUuid()).as("needs an acknowledgement").isFalse();
        });
        assertThat(fixture.framework.tasks()).isEmpty();
        assertThat(started).isEmpty();
        assertThat(fixture.state.offers()).as("the offer of another").containsValue(foreign);
        List<String> returned = Stream.of("good", "far", "other-role")
                .filter(id -> List.of(named).contains("offer-" + id))
                .toList();
        assertThat(fixture.released).as("were accepted, and are unused").containsExactlyElementsOf(returned);
        assertThat(counted(Counter.OFFERS_ACCEPTED)).isZero();
        assertThat(counted(Counter.TASKS_REFUSED)).isOne();
    }

    /** Mesos before 1.1 had no TASK_DROPPED. */
    @Test
    void aFrameworkThatDoesNotKnowDroppedTasksHearsThatTheyAreLost() {
        Framework old = fixture.framework("old");
        AgentContainer container = fixture.allocated("c");
        accept(old, of("unknown").addOperations(launch(command("t", container, 1000, 512))));
        assertThat(fixture.updates()).extracting(TaskStatus::getState).containsExactly(TaskState.TASK_LOST);
    }

    @Test
    void aRunningContainerOfAFailedAcceptIsOfferedAgain() {
        AgentContainer running = fixture.running("c");
        OutstandingOffer before = fixture.offer(running);
        accept(of("offer-c", "unknown").addOperations(launch(command("t", running, 1000, 512))));
        assertThat(fixture.released).isEmpty();
        assertThat(running.offer()).isNotNull().isNotEqualTo(before);
        assertThat(fixture.events).filteredOn(Event::hasOffers).hasSize(1);
    }

    // ---- tasks that cannot be launched ----

    private static Arguments bad(String name, String message, UnaryOperator<TaskInfo.Builder> change) {
        return Arguments.of(name, message, change);
    }

    static Stream<Arguments> badTasks() {
        Resource reserved = WireClient.scalar("cpus", 1).toBuilder()
                .addReservations(Resource.ReservationInfo.newBuilder().setRole("r"))
                .build();
        return Stream.of(
                bad("no resources", "Task uses no resources", TaskInfo.Builder::clearResources),
                bad("unknown resource", "resource cows", task -> task.addResources(WireClient.scalar("cows", 1))),
                bad("negative", "resource cpus = -1.0", task -> task.addResources(WireClient.scalar("cpus", -1))),
                bad("reserved", "reserved or revocable", task -> task.addResources(reserved)),
                bad(
                        "other agent",
                        "Task uses invalid agent x",
                        task -> task.setAgentId(AgentID.newBuilder().setValue("x"))),
                bad("nothing to run", "CommandInfo or ExecutorInfo", TaskInfo.Builder::clearCommand),
                bad("empty command", "nothing to run", task -> task.setCommand(CommandInfo.newBuilder())),
                bad(
                        "id",
                        "contains invalid characters",
                        task -> task.setTaskId(TaskID.newBuilder().setValue("a/b"))),
                bad(
                        "too many cpus",
                        "Task uses more resources",
                        task -> task.addResources(WireClient.scalar("cpus", 3.001))),
                bad(
                        "too much memory",
                        "Task uses more resources",
                        task -> task.addResources(WireClient.scalar("mem", 1537))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badTasks")
    void aTaskThatCannotBeLaunchedIsAnErrorAndTheOtherOneIsLaunched(
            String name, String message, UnaryOperator<TaskInfo.Builder> change) {
        AgentContainer container = fixture.allocated("c");
        fixture.offer(container);
        TaskInfo bad =
                change.apply(command("bad", container, 1000, 512).toBuilder()).build();
        accept(of("offer-c").addOperations(launch(bad, command("good", container, 1000, 512))));
        assertThat(fixture.updates()).as(name).singleElement().satisfies(status -> {
            assertThat(status.getState()).isEqualTo(TaskState.TASK_ERROR);
            assertThat(status.getReason()).isEqualTo(TaskStatus.Reason.REASON_TASK_INVALID);
            assertThat(status.getTaskId()).isEqualTo(bad.getTaskId());
            assertThat(status.getMessage()).contains(message);
            assertThat(status.hasUuid()).isFalse();
        });
        assertThat(fixture.framework.tasks()).containsOnlyKeys("good");
        assertThat(started).containsExactly("c");
    }

    /** Each offer is a container, so two offers with room for a half each have no room for the whole. */
    @Test
    void aTaskThatOnlyFitsIntoTwoOffersTogetherIsTooLarge() {
        AgentContainer one = fixture.allocated("one");
        fixture.offer(one);
        fixture.offer(fixture.allocated("two"));
        accept(of("offer-one", "offer-two").addOperations(launch(command("t", one, 4001, 512))));
        assertThat(fixture.updates()).extracting(TaskStatus::getState).containsExactly(TaskState.TASK_ERROR);
        assertThat(fixture.released).as("nothing runs in them").containsExactly("one", "two");
        assertThat(fixture.role.filters().refuses(one.agentId(), SIZE, START)).isTrue();
    }

    @Test
    void anIdThatIsInUseIsRefusedAndItsTaskIsLeftAlone() {
        AgentContainer container = fixture.running("c");
        var before = fixture.launched(command("again", container, 500, 128), container);
        fixture.offer(container);
        accept(of("offer-c")
                .addOperations(launch(command("again", container, 1000, 512), command("twice", container, 1000, 512)))
                .addOperations(launch(command("twice", container, 2000, 512))));
        assertThat(fixture.updates())
                .extracting(TaskStatus::getMessage)
                .containsExactly("Task has duplicate ID: again", "Task has duplicate ID: twice");
        assertThat(fixture.task("again")).isSameAs(before);
        assertThat(before.state()).isEqualTo(TaskState.TASK_STAGING);
        assertThat(fixture.task("twice").resources()).isEqualTo(Resources.of(1000, 512));
        assertThat(fixture.frames(AgentProtocol.LAUNCH)).containsExactly("t/twice");
    }

    @ParameterizedTest(name = "most {0} ms: launched {1}")
    @CsvSource({"0, false", "60000, true", "60001, false"})
    void aPartForShortTasksTakesOnlyThese(long millis, boolean launched) {
        AgentContainer container = fixture.allocated("c");
        fixture.offer(container, 60_000);
        TaskInfo.Builder task = command("t", container, 1000, 512).toBuilder();
        if (millis > 0) {
            task.setMaxCompletionTime(DurationInfo.newBuilder().setNanoseconds(millis * 1_000_000));
        }
        accept(of("offer-c").addOperations(launch(task.build())));
        assertThat(fixture.framework.tasks().containsKey("t")).isEqualTo(launched);
        assertThat(fixture.updates()).hasSize(launched ? 0 : 1);
    }

    // ---- several operations ----

    @Test
    void allOperationsOfOneAcceptShareTheOffers() {
        AgentContainer container = fixture.allocated("c");
        fixture.offer(container);
        accept(of("offer-c")
                .addOperations(launch(command("a", container, 1000, 512), command("b", container, 1000, 512)))
                .addOperations(group(command("g1", container, 1000, 256), command("g2", container, 500, 256)))
                .addOperations(launch(command("rest", container, 500, 512)))
                .addOperations(launch(command("full", container, 1, 1))));
        assertThat(fixture.framework.tasks()).containsOnlyKeys("a", "b", "g1", "g2", "rest");
        assertThat(fixture.updates())
                .extracting(one -> one.getTaskId().getValue())
                .containsExactly("full");
        assertThat(container.free()).isEqualTo(Resources.of(0, 0));
        assertThat(started).as("one agent").containsExactly("c");
        assertThat(fixture.task("g1").group())
                .isNotEmpty()
                .isEqualTo(fixture.task("g2").group());
        assertThat(fixture.task("a").group()).isEmpty();
        assertThat(fixture.task("g1").executorId()).isEqualTo("default");
        assertThat(fixture.framework.accepted()).isOne();
        assertThat(counted(Counter.TASKS_LAUNCHED)).isEqualTo(5);
        assertThat(fixture.state.offers()).isEmpty();
    }

    @ParameterizedTest(name = "{0} and {1} milli-cpus")
    @CsvSource({"5000, 500", "500, 5000", "2500, 2500"})
    void aGroupIsLaunchedAsAWholeOrNotAtAll(long first, long second) {
        AgentContainer container = fixture.allocated("c");
        fixture.offer(container);
        accept(of("offer-c")
                .addOperations(group(command("g1", container, first, 64), command("g2", container, second, 64))));
        assertThat(fixture.framework.tasks()).isEmpty();
        assertThat(fixture.updates()).hasSize(2).allSatisfy(status -> {
            assertThat(status.getState()).isEqualTo(TaskState.TASK_ERROR);
            assertThat(status.getReason()).isEqualTo(TaskStatus.Reason.REASON_TASK_GROUP_INVALID);
        });
        assertThat(fixture.released).containsExactly("c");
    }

    @Test
    void idsOfARefusedGroupMayBeUsedInTheSameCall() {
        AgentContainer container = fixture.running("c");
        fixture.offer(container);
        TaskInfo bad =
                command("g2", container, 500, 64).toBuilder().clearCommand().build();
        accept(of("offer-c")
                .addOperations(group(command("g1", container, 500, 64), bad))
                .addOperations(launch(command("g1", container, 500, 64))));
        assertThat(fixture.framework.tasks()).containsOnlyKeys("g1");
    }

    /** In the order of the call, both small tasks would take the room of a large one. */
    @Test
    void tasksAreSpreadOverTheOffersOfOneNode() {
        AgentContainer one = fixture.allocated("one");
        AgentContainer two = fixture.running("two");
        fixture.offer(one);
        fixture.offer(two);
        accept(of("offer-one", "offer-two")
                .addOperations(launch(command("s1", one, 1000, 512), command("s2", one, 1000, 512)))
                .addOperations(launch(command("l1", one, 3000, 1536), command("l2", one, 3000, 1536))));
        assertThat(fixture.updates()).isEmpty();
        assertThat(one.tasks()).containsOnlyKeys("l1", "s1");
        assertThat(two.tasks()).containsOnlyKeys("l2", "s2");
        assertThat(started).as("the other agent runs").containsExactly("one");
        assertThat(fixture.frames(AgentProtocol.LAUNCH)).containsExactlyInAnyOrder("t/l2", "t/s2");
        assertThat(fixture.framework.accepted()).isEqualTo(2);
    }

    // ---- the rest ----

    private static Call.Accept.Builder withFilter(Call.Accept.Builder accept, String seconds) {
        return seconds.equals("none")
                ? accept
                : accept.setFilters(Filters.newBuilder().setRefuseSeconds(Double.parseDouble(seconds)));
    }

    @ParameterizedTest(name = "refuse_seconds {0}: {1} ms")
    @CsvSource({"none, 5000", "0, 0", "0.5, 500", "60, 60000", "-1, 5000"})
    void theRestIsNotOfferedForTheTimeOfTheFilter(String seconds, long millis) {
        AgentContainer container = fixture.running("c");
        fixture.offer(container);
        accept(withFilter(of("offer-c").addOperations(launch(command("t", container, 1000, 512))), seconds));
        Resources rest = Resources.of(3000, 1536);
        assertThat(fixture.role.filters().until(container.agentId(), rest)).isEqualTo(millis == 0 ? 0 : START + millis);
        assertThat(fixture.role.filters().until(container.agentId(), SIZE))
                .as("a larger offer is welcome")
                .isZero();
        assertThat(container.offer() != null).as("offered at once").isEqualTo(millis == 0);
    }

    @ParameterizedTest(name = "refuse_seconds {0}: {1} ms")
    @CsvSource({"none, 5000", "0, 0", "7, 7000"})
    void anAcceptWithoutTasksDeclines(String seconds, long millis) {
        AgentContainer container = fixture.allocated("c");
        fixture.offer(container);
        accept(withFilter(of("offer-c").addOperations(launch()), seconds));
        assertThat(fixture.role.filters().until(container.agentId(), SIZE)).isEqualTo(millis == 0 ? 0 : START + millis);
        assertThat(fixture.released).containsExactly("c");
        assertThat(fixture.framework.declined()).isOne();
        assertThat(fixture.framework.accepted()).isZero();
        assertThat(fixture.events).isEmpty();
    }
}
