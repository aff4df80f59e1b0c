// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.heddle.offers.yarn.FakeYarn.container;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.exceptions.ApplicationMasterNotRegisteredException;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.heddle.offers.master.cluster.ApplicationRecord;
import org.heddle.offers.model.ContainerAsk;
import org.heddle.offers.model.Resources;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The begin of an application in YARN, new or taken over from a former bridge, and its end. */
class FrameworkAppMasterLifeTest {
    private static final String PLACED = "placed root.web user";
    private static final String STARTED = "started " + FakeYarn.APPLICATION + " largest 8000/8192 live ";

    private FakeYarn yarn;

    @BeforeEach
    void begin(@TempDir Path directory) {
        yarn = new FakeYarn(directory);
    }

    private FrameworkAppMaster begun() throws IOException {
        FrameworkAppMaster master = yarn.master(null);
        master.begin();
        yarn.pool.pass(0);
        return master;
    }

    // ---- a new application ----

    @Test
    void itRegistersWhenItsTokenIsThere() throws Exception {
        yarn.tokenReady = false;
        FrameworkAppMaster master = begun();
        master.ask(new ContainerAsk(Resources.of(1000, 512), 1), Set.of());
        yarn.pool.pass(1_000);
        assertThat(yarn.submissions).containsExactly("root.web");
        assertThat(yarn.registrations).isZero();
        assertThat(yarn.heartbeats).as("not before it has registered").isEmpty();
        yarn.tokenReady = true;
        yarn.pool.pass(100);
        assertThat(yarn.events.lines).containsExactly(PLACED, STARTED);
        assertThat(master.queue()).isEqualTo("root.web");
        assertThat(yarn.heartbeats).singleElement().satisfies(heartbeat -> {
            assertThat(heartbeat.getResponseId()).isZero();
            assertThat(heartbeat.getAskList()).as("the ask has waited").hasSize(1);
        });
    }

    @Test
    void aRoleWithoutAQueueRunsInTheQueueOfAll() throws Exception {
        yarn.queues.remove("root.web");
        begun();
        assertThat(yarn.submissions).containsExactly("root.web", "root.default");
        assertThat(yarn.events.lines).contains(STARTED);
    }

    @Test
    void anApplicationIsRefusedWithoutAnyQueue() throws Exception {
        yarn.queues.clear();
        begun();
        assertThat(yarn.submissions).containsExactly("root.web", "root.default");
        assertThat(yarn.events.lines).containsExactly("refused no queue root.default");
    }

    /** The queue exists, so it is not for the queue that it was refused. */
    @Test
    void aRefusalIsNotAMissingQueue() throws Exception {
        yarn.failures.add(new YarnException("too many applications\nat line 2"));
        begun();
        yarn.pool.pass(100_000);
        assertThat(yarn.submissions).isEmpty();
        assertThat(yarn.events.lines).containsExactly("refused too many applications");
    }

    @ParameterizedTest
    @ValueSource(strings = {"KILLED", "FAILED", "FINISHED"})
    void anApplicationThatEndsBeforeItRegistersIsRefused(YarnApplicationState state) throws Exception {
        yarn.state = state;
        begun();
        assertThat(yarn.events.lines).containsExactly("refused it is " + state);
        assertThat(yarn.registrations).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"connect", "timeout", "eof"})
    void itWaitsForAResourceManagerThatCannotBeReached(String how) throws Exception {
        yarn.failures.add(
                switch (how) {
                    case "connect" -> new ConnectException("refused");
                    case "timeout" -> new SocketTimeoutException("slow");
                    default -> new EOFException("closed");
                });
        begun();
        yarn.pool.pass(999);
        assertThat(yarn.submissions).isEmpty();
        assertThat(yarn.events.lines).isEmpty();
        yarn.pool.pass(1);
        assertThat(yarn.events.lines).containsExactly(PLACED, STARTED);
    }

    // ---- an application of a former bridge ----

    private static ApplicationRecord known() throws IOException {
        return new ApplicationRecord(
                FakeYarn.APPLICATION.toString(), AppMasterSession.bytes(FakeYarn.token()), Resources.of(2000, 1024));
    }

    @Test
    void anApplicationThatLivesIsTakenOverAndItsAskWithdrawn() throws Exception {
        yarn.state = YarnApplicationState.RUNNING;
        yarn.live = List.of(container(2), container(3));
        FrameworkAppMaster master = yarn.master(known());
        master.begin();
        yarn.pool.pass(0);
        assertThat(yarn.submissions).isEmpty();
        assertThat(yarn.events.lines).containsExactly(PLACED, STARTED + "02,03");
        AllocateRequest first = yarn.heartbeats.get(0);
        assertThat(first.getAskList()).singleElement().satisfies(row -> {
            assertThat(row.getCapability().getMemorySize()).isEqualTo(1024);
            assertThat(row.getNumContainers()).isZero();
        });
        assertThat(first.getResourceBlacklistRequest().getBlacklistRemovals()).containsExactly("node");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ended", "unknown"})
    void anotherApplicationReplacesOneThatIsOver(String how) throws Exception {
        if (how.equals("ended")) {
            yarn.state = YarnApplicationState.KILLED;
        } else {
            yarn.failures.add(new ApplicationNotFoundException("forgotten"));
        }
        yarn.master(known()).begin();
        yarn.pool.pass(0);
        assertThat(yarn.submissions).containsExactly("root.web");
    }

    // ---- the end ----

    @ParameterizedTest(name = "succeeded {0}: {1}")
    @CsvSource({"true, SUCCEEDED", "false, FAILED"})
    void theEndIsToldToYarn(boolean succeeded, FinalApplicationStatus status) throws Exception {
        FrameworkAppMaster master = yarn.runningMaster();
        master.finish(succeeded, "why");
        yarn.pool.pass(100_000);
        assertThat(yarn.ends).singleElement().satisfies(end -> {
            assertThat(end.getFinalApplicationStatus()).isEqualTo(status);
            assertThat(end.getDiagnostics()).isEqualTo("why");
        });
        assertThat(yarn.heartbeats).isEmpty();
        assertThat(yarn.killed).isEmpty();
    }

    @Test
    void theEndIsToldUntilItIsStored() throws Exception {
        FrameworkAppMaster master = yarn.runningMaster();
        yarn.answers.add(false);
        master.finish(true, "why");
        yarn.pool.pass(0);
        assertThat(yarn.ends).hasSize(2);
        assertThat(yarn.registrations).isOne();
    }

    @Test
    void aNewResourceManagerTakesTheEndAfterARegistration() throws Exception {
        FrameworkAppMaster master = yarn.runningMaster();
        yarn.answers.add(new ApplicationMasterNotRegisteredException("who are you"));
        master.finish(true, "why");
        yarn.pool.pass(0);
        assertThat(yarn.registrations).isEqualTo(2);
        assertThat(yarn.ends)
                .hasSize(2)
                .extracting(FinishApplicationMasterRequest::getFinalApplicationStatus)
                .containsOnly(FinalApplicationStatus.SUCCEEDED);
    }

    @Test
    void anApplicationThatHasNotRegisteredIsKilled() throws Exception {
        yarn.tokenReady = false;
        begun().finish(true, "why");
        yarn.tokenReady = true;
        yarn.pool.pass(100_000);
        assertThat(yarn.killed).containsExactly(FakeYarn.APPLICATION.toString());
        assertThat(yarn.registrations).isZero();
        assertThat(yarn.ends).isEmpty();
    }

    @Test
    void nothingIsSubmittedAfterTheEnd() throws Exception {
        FrameworkAppMaster master = yarn.master(null);
        master.finish(true, "why");
        master.begin();
        yarn.pool.pass(100_000);
        assertThat(yarn.submissions).isEmpty();
        assertThat(yarn.killed).isEmpty();
        assertThat(yarn.events.lines).isEmpty();
    }
}
