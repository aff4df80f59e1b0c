// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.placement.ApplicationPlacementContext;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.MemoryRMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.records.ApplicationStateData;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAddedSchedulerEvent;
import org.assertj.core.util.Throwables;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.change.Mutation;
import org.heddle.testkit.Await;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may submit to a queue in a real ResourceManager. */
class VouchersInRmTest {
    @TempDir
    Path directory;

    private MarketFixture fixture(MemoryRMStateStore store, String submission) throws Exception {
        MarketFixture fixture = new MarketFixture(
                directory,
                store,
                "yarn.resourcemanager.recovery.enabled",
                "true",
                "yarn.resourcemanager.ha.id",
                "x",
                "yarn.acl.enable",
                "true",
                "yarn.admin.acl",
                "admin",
                "yarn.scheduler.heddle.market.http.master-key",
                VoucherMaker.MASTER,
                MarketKeys.SUBMISSION.name(),
                submission);
        fixture.setDatesByTheClock();
        fixture.node("127.0.0.1", 15_000, 100);
        fixture.queue("alice", "1", "100");
        return fixture;
    }

    private static RMApp submit(MarketFixture fixture, String user, String queue, String... tags) throws Exception {
        return submitAs(fixture, null, user, queue, tags);
    }

    /** @param id given by the client, who has asked for it before; null for a new one */
    private static RMApp submitAs(
            MarketFixture fixture, @Nullable ApplicationId id, String user, String queue, String... tags)
            throws Exception {
        return MockRMAppSubmitter.submit(
                fixture.rm,
                MockRMAppSubmissionData.Builder.createWithMemory(100, fixture.rm)
                        .withApplicationId(id)
                        .withUser(user)
                        .withQueue(queue)
                        .withApplicationTags(Set.of(tags))
                        .withWaitForAppAcceptedState(false)
                        .withUnmanagedAM(true)
                        .build());
    }

    private static RMApp known(MarketFixture fixture, ApplicationId id) {
        return Objects.requireNonNull(
                fixture.rm.getRMContext().getRMApps().get(id), "an application that is not there");
    }

    private static RMApp accepted(RMApp app) throws Exception {
        Await.until(
                "an end of " + app.getApplicationId(),
                Duration.ofSeconds(20),
                () -> app.getState() == RMAppState.ACCEPTED || app.getState() == RMAppState.FAILED);
        assertThat(app.getState()).as("%s", app.getDiagnostics()).isEqualTo(RMAppState.ACCEPTED);
        return app;
    }

    /** What the client is told; nothing is left of the application. */
    private static String refused(MarketFixture fixture, String user, String queue, String... tags) {
        int before = fixture.rm.getRMContext().getRMApps().size();
        Throwable told = Throwables.getRootCause(catchThrowable(() -> submit(fixture, user, queue, tags)));
        assertThat(told).isInstanceOf(YarnException.class);
        assertThat(fixture.rm.getRMContext().getRMApps()).hasSize(before);
        return String.valueOf(told.getMessage());
    }

    @Test
    void listOrVoucherAndEachVoucherOnceAlsoAfterAFailOver() throws Exception {
        MemoryRMStateStore store = new MemoryRMStateStore();
        try (MarketFixture fixture = fixture(store, "acl-or-voucher")) {
            VoucherMaker alice = new VoucherMaker(fixture.market(), "alice");
            accepted(submit(fixture, "alice", "alice"));
            assertThat(refused(fixture, "bob", "alice")).contains("does not have permission to submit");
            String tag = alice.voucher("bob", fixture.clock.get());
            RMApp in = accepted(submit(fixture, "bob", "root.alice", tag));
            assertThat(in.getQueue()).isEqualTo("root.alice");
            assertThat(refused(fixture, "bob", "alice", tag))
                    .contains("is refused: the voucher was used for " + in.getApplicationId());
            assertThat(refused(fixture, "bob", "alice", alice.voucher("carol", fixture.clock.get())))
                    .contains("is not for user bob in queue alice");
            assertThat(fixture.market().audit(0, 100)).extracting("action").contains("use-voucher");
            assertThat(store.getState().getApplicationState())
                    .as("what a successor would recover")
                    .hasSize(2);

            fixture.restart(store);
            assertThat(fixture.rm.getRMContext().getRMApps()).containsKey(in.getApplicationId());
            accepted(known(fixture, in.getApplicationId()));
            assertThat(refused(fixture, "bob", "alice", tag)).contains("the voucher was used for ");
        }
    }

    /** The ResourceManager dies between the voucher and the application: the client's repeated call gets in. */
    @Test
    void aVoucherIsWrittenDownBeforeTheApplicationIsAndGoodForItAgain() throws Exception {
        MemoryRMStateStore store = new MemoryRMStateStore();
        try (MarketFixture fixture = fixture(store, "acl-or-voucher")) {
            VoucherMaker alice = new VoucherMaker(fixture.market(), "alice");
            String tag = alice.voucher("bob", fixture.clock.get());
            ApplicationId id = ApplicationId.newInstance(fixture.clock.get(), 4_711);
            submitAs(fixture, id, "bob", "alice", tag);
            assertThat(fixture.market().records("voucher"))
                    .as("before the call was answered")
                    .hasSize(1);
            accepted(known(fixture, id));
            var stored = store.getState().getApplicationState();
            // The launch time is the last that the ResourceManager writes, after the attempt is LAUNCHED: 0 before, -1
            // for MockRM.
            Await.until("all is written", Duration.ofSeconds(20), () -> {
                ApplicationStateData application = stored.get(id);
                return application != null && application.getLaunchTime() != 0;
            });

            stored.remove(id); // it was not stored
            fixture.restart(store);
            assertThat(fixture.rm.getRMContext().getRMApps()).doesNotContainKey(id);
            accepted(submitAs(fixture, id, "bob", "alice", tag));
            assertThat(refused(fixture, "bob", "alice", tag)).contains("the voucher was used for " + id);
        }
    }

    @Test
    void whereOnlyVouchersCountAUsersNameIsNotEnough() throws Exception {
        try (MarketFixture fixture = fixture(new MemoryRMStateStore(), "voucher")) {
            VoucherMaker alice = new VoucherMaker(fixture.market(), "alice");
            assertThat(refused(fixture, "alice", "alice")).contains("accepts only applications with a voucher");
            RMApp in = accepted(submit(fixture, "alice", "alice", alice.voucher("alice", fixture.clock.get())));
            RMApp elsewhere = accepted(submit(fixture, "alice", "default"));
            assertThatThrownBy(() ->
                            fixture.scheduler().preValidateMoveApplication(elsewhere.getApplicationId(), "root.alice"))
                    .isInstanceOf(YarnException.class)
                    .hasMessageContaining(
                            "cannot be moved to queue alice, which accepts only applications with a voucher");
            fixture.scheduler().preValidateMoveApplication(in.getApplicationId(), "default");
            fixture.scheduler()
                    .handle(new AppAddedSchedulerEvent(
                            ApplicationId.newInstance(1, 1),
                            "root.alice",
                            "alice",
                            false,
                            null,
                            Priority.newInstance(0),
                            new ApplicationPlacementContext("root.alice")));
            fixture.rm.drainEvents();
            assertThat(fixture.scheduler().getSchedulerApplications())
                    .as("only applications that came through the client protocol")
                    .containsOnlyKeys(in.getApplicationId(), elsewhere.getApplicationId());
        }
    }

    @Test
    void anAccountWithoutCreditMayBeMadeToAcceptNothing() throws Exception {
        try (MarketFixture fixture = fixture(new MemoryRMStateStore(), "refuse-without-credit")) {
            RMApp in = accepted(submit(fixture, "alice", "alice"));
            assertThat(refused(fixture, "alice", "default"))
                    .contains(
                            "is refused: account default has no credit, and the market accepts no applications without"
                                    + " credit; pay into it with heddle market pay");
            assertThatThrownBy(() -> fixture.scheduler().preValidateMoveApplication(in.getApplicationId(), "default"))
                    .isInstanceOf(YarnException.class)
                    .hasMessageContaining("cannot be moved: account default has no credit");
            assertThat(refused(fixture, "bob", "alice")).contains("does not have permission to submit");
            fixture.market().addBudget(new Mutation("root", "test", "pay"), "default", Credits.of(1), "");
            accepted(submit(fixture, "alice", "default"));
        }
    }

    @Test
    void withoutALedgerTheClusterWorksFreeOfChargeUntilItCanBeOpened() throws Exception {
        Path ledger = java.nio.file.Files.writeString(directory.resolve("ledger"), "in the way");
        try (MarketFixture fixture = new MarketFixture(directory, MarketKeys.STORE_AT_START.name(), "wait")) {
            fixture.node("127.0.0.1", 15_000, 100);
            assertThat(fixture.scheduler().market()).isNull();
            assertThat(fixture.scheduler().marketProblem())
                    .contains("cannot be created")
                    .contains(ledger.toString());
            MarketFixture.App free = fixture.app("alice", "default").ask(5);
            fixture.heartbeat();
            assertThat(free.holds()).isEqualTo(5);

            java.nio.file.Files.delete(ledger);
            fixture.after(10_000).scheduler().tick();
            assertThat(fixture.scheduler().marketProblem()).isEmpty();
            fixture.queue("alice", "1", "100");
            assertThat(fixture.status("default").usedContainers()).isEqualTo(5);
            accepted(submit(fixture, "alice", "alice"));
        }
    }
}
