// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.heddle.offers.yarn.FakeYarn.container;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.PreemptionContainer;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.StrictPreemptionContract;
import org.apache.hadoop.yarn.api.records.Token;
import org.apache.hadoop.yarn.api.records.UpdateContainerError;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.api.records.UpdatedContainer;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.exceptions.ApplicationAttemptNotFoundException;
import org.apache.hadoop.yarn.exceptions.ApplicationMasterNotRegisteredException;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.model.ContainerAsk;
import org.heddle.offers.model.Resources;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The heartbeats of an application that runs: when they come, what they say, and what their answers mean. */
class FrameworkAppMasterTest {
    private static final Resources SIZE = Resources.of(2000, 1024);
    /** An order goes out within this time. */
    private static final long SOON = 15;

    private static final long BUSY = 100;

    private FakeYarn yarn;
    private FrameworkAppMaster master;

    @BeforeEach
    void begin(@TempDir Path directory) throws IOException {
        yarn = new FakeYarn(directory);
        master = yarn.runningMaster();
    }

    private static AllocateResponse.AllocateResponseBuilder answer() {
        return AllocateResponse.newBuilder();
    }

    private static AllocateResponse granted(long... numbers) {
        return answer().allocatedContainers(
                        Arrays.stream(numbers).mapToObj(FakeYarn::container).toList())
                .build();
    }

    /** Number of asked containers in each row of a heartbeat, with their memory, as {@code 1024x3}. */
    private static List<String> rows(AllocateRequest heartbeat) {
        return heartbeat.getAskList().stream()
                .map(row -> row.getCapability().getMemorySize() + "x" + row.getNumContainers())
                .toList();
    }

    /** A heartbeat that is answered so; returns the events that it causes. */
    private List<String> beat(Object... answers) {
        yarn.events.lines.clear();
        yarn.answers.addAll(List.of(answers));
        int before = yarn.heartbeats.size();
        while (!yarn.answers.isEmpty()) {
            yarn.pool.pass(10);
        }
        assertThat(yarn.heartbeats).hasSizeGreaterThan(before);
        return List.copyOf(yarn.events.lines);
    }

    private static String id(long number) {
        return container(number).getId().toString();
    }

    // ---- asks and grants ----

    @Test
    void anAskGoesOutSoonAndOnce() {
        master.ask(new ContainerAsk(SIZE, 3), Set.of("bad"));
        yarn.pool.pass(SOON - 1);
        assertThat(yarn.heartbeats).isEmpty();
        yarn.pool.pass(1);
        assertThat(yarn.heartbeats).singleElement().satisfies(heartbeat -> {
            assertThat(rows(heartbeat)).containsExactly("1024x3");
            assertThat(heartbeat.getResourceBlacklistRequest().getBlacklistAdditions())
                    .containsExactly("bad");
        });
        yarn.pool.pass(BUSY);
        assertThat(yarn.heartbeats).hasSize(2);
        assertThat(rows(yarn.lastHeartbeat())).isEmpty();
        assertThat(yarn.lastHeartbeat().getResponseId())
                .isEqualTo(yarn.heartbeats.get(0).getResponseId() + 1);
    }

    @Test
    void ordersThatComeTogetherAreOneHeartbeat() {
        beat(granted(2, 3));
        yarn.heartbeats.clear();
        master.ask(new ContainerAsk(SIZE, 1), Set.of());
        master.release(id(2));
        master.ask(new ContainerAsk(SIZE, 2), Set.of());
        master.release(id(3));
        yarn.pool.pass(SOON);
        assertThat(yarn.heartbeats).hasSize(1);
        assertThat(rows(yarn.lastHeartbeat())).containsExactly("1024x2");
        assertThat(yarn.lastHeartbeat().getReleaseList())
                .containsExactlyInAnyOrder(container(2).getId(), container(3).getId());
    }

    @Test
    void anOrderThatComesDuringAHeartbeatGoesOutSoon() {
        beat(granted(2));
        yarn.heartbeats.clear();
        yarn.meanwhile = () -> {
            yarn.meanwhile = () -> {};
            master.ask(new ContainerAsk(SIZE, 1), Set.of());
        };
        master.release(id(2));
        yarn.pool.pass(SOON);
        assertThat(rows(yarn.lastHeartbeat())).isEmpty();
        yarn.pool.pass(SOON);
        assertThat(rows(yarn.lastHeartbeat())).containsExactly("1024x1");
    }

    @Test
    void grantsAreToldOnce() {
        master.ask(new ContainerAsk(SIZE, 2), Set.of());
        assertThat(beat(granted(2, 3))).containsExactly("granted 02,03");
        assertThat(beat(granted(3))).as("told again").isEmpty();
        assertThat(beat(granted(3, 4))).as("more than was asked for").containsExactly("granted 04");
    }

    @Test
    void aSurplusContainerThatIsReleasedLeavesWithTheNextHeartbeat() {
        beat(granted(2));
        master.release(id(2));
        yarn.pool.pass(SOON);
        assertThat(yarn.lastHeartbeat().getReleaseList())
                .containsExactly(container(2).getId());
        beat(answer().build());
        assertThat(yarn.lastHeartbeat().getReleaseList()).as("once").isEmpty();
    }

    @Test
    void completedContainersAreTold() {
        beat(granted(2));
        ContainerStatus ended =
                ContainerStatus.newInstance(container(2).getId(), ContainerState.COMPLETE, "too much memory", -104);
        assertThat(beat(answer().completedContainersStatuses(List.of(ended)).build()))
                .containsExactly("completed 02 -104 too much memory");
        master.startAgent(new Cluster.AgentSpec(id(2), "secret"));
        assertThat(yarn.events.lines).last().isEqualTo("agent not started 02 the container is gone");
    }

    @Test
    void headroomIsToldWhenItChanges() {
        AllocateResponse response =
                answer().availableResources(Resource.newInstance(4096, 4)).build();
        assertThat(beat(response)).containsExactly("headroom 4000/4096");
        assertThat(beat(response)).isEmpty();
        assertThat(beat(answer().availableResources(Resource.newInstance(0, 0)).build()))
                .containsExactly("headroom 0/0");
    }

    @Test
    void aNewTokenIsTold() {
        Token renewed = Token.newInstance(new byte[] {3}, "YARN_AM_RM_TOKEN", new byte[] {4}, "rm");
        assertThat(beat(answer().amRmToken(renewed).build())).containsExactly("renewed true");
    }

    @Test
    void containersThatTheSchedulerWantsAreTold() {
        beat(granted(2, 3));
        PreemptionMessage message = PreemptionMessage.newInstance(
                StrictPreemptionContract.newInstance(
                        Set.of(PreemptionContainer.newInstance(container(3).getId()))),
                null);
        assertThat(beat(answer().preemptionMessage(message).build())).containsExactly("wanted 03");
    }

    @Test
    void newSizes() {
        beat(granted(2, 3, 4));
        master.resize(id(2), Resources.of(1000, 512));
        master.resize(id(9), Resources.of(1000, 512));
        yarn.pool.pass(SOON);
        assertThat(yarn.lastHeartbeat().getUpdateRequests())
                .extracting(UpdateContainerRequest::getContainerUpdateType, UpdateContainerRequest::getContainerId)
                .containsExactly(tuple(
                        ContainerUpdateType.DECREASE_RESOURCE, container(2).getId()));
        UpdatedContainer smaller = UpdatedContainer.newInstance(
                ContainerUpdateType.DECREASE_RESOURCE, container(2, Resource.newInstance(512, 1)));
        UpdatedContainer larger = UpdatedContainer.newInstance(
                ContainerUpdateType.INCREASE_RESOURCE, container(3, Resource.newInstance(2048, 4)));
        UpdateContainerError error = UpdateContainerError.newInstance(
                "no room",
                UpdateContainerRequest.newInstance(
                        0,
                        container(4).getId(),
                        ContainerUpdateType.INCREASE_RESOURCE,
                        Resource.newInstance(1, 1),
                        null));
        List<String> events = beat(answer().updatedContainers(List.of(smaller, larger))
                .updateErrors(List.of(error))
                .build());
        assertThat(events).contains("resized 02 1000/512", "not resized 04 no room");
        assertThat(events)
                .as("there is no token for the node of 03")
                .filteredOn(line -> line.startsWith("not resized 03 its node refuses: "))
                .hasSize(1);
    }

    // ---- when ----

    @ParameterizedTest(name = "asks for {0} of a size {1}, holds a container {2}: {3} ms")
    @CsvSource({
        "2, true,  false, 100",
        "2, true,  true,  100",
        "0, true,  true,  750",
        "0, false, true,  750",
        "0, true,  false, 2000",
        "0, false, false, 12000"
    })
    void theTimeBetweenHeartbeats(int count, boolean size, boolean holds, long millis) {
        if (holds) {
            beat(granted(2));
        }
        master.ask(new ContainerAsk(size ? SIZE : Resources.NONE, count), Set.of());
        yarn.pool.pass(SOON);
        yarn.heartbeats.clear();
        yarn.pool.pass(millis - 1);
        assertThat(yarn.heartbeats).isEmpty();
        yarn.pool.pass(1);
        assertThat(yarn.heartbeats).hasSize(1);
    }

    // ---- failures ----

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void aHeartbeatThatFailsIsRepeatedWithItsReleases(boolean ofYarn) {
        beat(granted(2));
        yarn.heartbeats.clear();
        master.release(id(2));
        List<String> events = beat(ofYarn ? new YarnException("busy") : new IOException("gone"));
        assertThat(events).isEmpty();
        beat(answer().build());
        assertThat(yarn.heartbeats)
                .hasSize(2)
                .allSatisfy(heartbeat -> assertThat(heartbeat.getReleaseList())
                        .containsExactly(container(2).getId()));
        assertThat(yarn.heartbeats.get(1).getResponseId())
                .as("the same heartbeat again")
                .isEqualTo(yarn.heartbeats.get(0).getResponseId());
    }

    @Test
    void anotherResourceManagerGetsARegistrationAndAllOrdersAgain() {
        master.ask(new ContainerAsk(SIZE, 3), Set.of("bad"));
        beat(granted(2, 3));
        master.release(id(3));
        yarn.pool.pass(SOON);
        yarn.heartbeats.clear();
        yarn.live = List.of(container(2), container(3));
        List<String> events = beat(new ApplicationMasterNotRegisteredException("who are you"));
        assertThat(events).isEmpty();
        assertThat(yarn.registrations).isOne();
        yarn.pool.pass(BUSY);
        assertThat(yarn.registrations).isEqualTo(2);
        assertThat(yarn.events.lines).containsExactly("resynced 02,03");
        AllocateRequest first = yarn.heartbeats.get(1);
        assertThat(first.getResponseId()).isZero();
        assertThat(rows(first)).as("of three, two were granted").containsExactly("1024x1");
        assertThat(first.getReleaseList()).containsExactly(container(3).getId());
        assertThat(first.getResourceBlacklistRequest().getBlacklistAdditions()).containsExactly("bad");
        yarn.pool.pass(BUSY);
        assertThat(yarn.registrations).as("once").isEqualTo(2);
    }

    @ParameterizedTest(name = "YARN says {0}")
    @CsvSource({"KILLED", "FAILED", "FINISHED"})
    void anApplicationThatYarnHasEndedIsOver(YarnApplicationState state) {
        yarn.state = state;
        List<String> events = beat(new ApplicationAttemptNotFoundException("who are you"));
        assertThat(events).containsExactly("refused application " + FakeYarn.APPLICATION + " ended in YARN");
        yarn.heartbeats.clear();
        master.ask(new ContainerAsk(SIZE, 1), Set.of());
        yarn.pool.pass(100_000);
        assertThat(yarn.heartbeats).isEmpty();
    }

    /** Such as a ResourceManager that has not recovered all applications. */
    @ParameterizedTest(name = "its report fails: {0}")
    @CsvSource({"true", "false"})
    void anApplicationWhoseAttemptIsUnknownGoesOnUnlessItHasEnded(boolean fails) {
        yarn.state = YarnApplicationState.RUNNING;
        if (fails) {
            yarn.failures.add(new IOException("not now"));
        }
        assertThat(beat(new ApplicationAttemptNotFoundException("who are you"))).isEmpty();
        assertThat(beat(granted(2))).containsExactly("granted 02");
    }

    @Test
    void noHeartbeatsAfterTheyWereStopped() {
        master.stopHeartbeats();
        master.ask(new ContainerAsk(SIZE, 1), Set.of());
        yarn.pool.pass(100_000);
        assertThat(yarn.heartbeats).isEmpty();
        assertThat(yarn.ends).as("it goes on in YARN").isEmpty();
    }
}
