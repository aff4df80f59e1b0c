// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.reservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.ApplicationClientProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.GetNewApplicationRequest;
import org.apache.hadoop.yarn.api.protocolrecords.GetNewReservationRequest;
import org.apache.hadoop.yarn.api.protocolrecords.ReservationDeleteRequest;
import org.apache.hadoop.yarn.api.protocolrecords.ReservationListRequest;
import org.apache.hadoop.yarn.api.protocolrecords.ReservationSubmissionRequest;
import org.apache.hadoop.yarn.api.protocolrecords.ReservationUpdateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.SubmitApplicationRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ReservationDefinition;
import org.apache.hadoop.yarn.api.records.ReservationId;
import org.apache.hadoop.yarn.api.records.ReservationRequest;
import org.apache.hadoop.yarn.api.records.ReservationRequestInterpreter;
import org.apache.hadoop.yarn.api.records.ReservationRequests;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.reservation.AbstractReservationSystem;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.util.Records;
import org.heddle.scheduler.yarn.ClusterInvariants;
import org.heddle.scheduler.yarn.RmFixture;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Resources reserved ahead of time, by the calls that YARN's own clients make; time passes by hand. */
class PlanFollowerTest {
    private static final String A = "127.1.0.1";
    private static final long SECOND = 1_000;
    /** The plan, which is entitled to half of the cluster, beside a queue that nobody plans. */
    private static final String HALF_IS_PLANNED = file("<plan/>");

    @TempDir
    Path directory;

    private static String file(String plan) {
        return "<heddle-scheduler version=\"1\"><queue name=\"root\"><queue name=\"work\">" + plan + "</queue>"
                + "<queue name=\"other\"/></queue>"
                + "<scheduling-delays><node-locality>0s</node-locality><rack-locality>0s</rack-locality></scheduling-delays></heddle-scheduler>";
    }

    private RmFixture fixture(String xml, String... more) throws Exception {
        List<String> properties = new ArrayList<>(List.of(YarnConfiguration.RM_RESERVATION_SYSTEM_ENABLE, "true"));
        properties.addAll(List.of(more));
        RmFixture fixture = new RmFixture(directory, xml, properties.toArray(String[]::new));
        // the plan's own clock is the machine's
        fixture.setDatesByTheClock();
        fixture.clock.tick(System.currentTimeMillis() / SECOND * SECOND - fixture.clock.getTime());
        return fixture;
    }

    /** On a store of files: a plan keeps the store that was there when it was made, before a test can give another. */
    private RmFixture lasting(String xml) throws Exception {
        return fixture(
                xml,
                "yarn.resourcemanager.recovery.enabled",
                "true",
                YarnConfiguration.FS_RM_STATE_STORE_URI,
                directory.resolve("state").toUri().toString());
    }

    private static ApplicationClientProtocol client(RmFixture fixture) {
        return fixture.rm.getClientRMService();
    }

    /** So many containers of 500 MB and one core from {@code in} seconds from now, for {@code seconds}. */
    private static ReservationDefinition definition(RmFixture fixture, int containers, int in, int seconds) {
        long start = fixture.clock.getTime() + in * SECOND;
        ReservationRequests requests = ReservationRequests.newInstance(
                List.of(ReservationRequest.newInstance(Resource.newInstance(500, 1), containers, 1, seconds * SECOND)),
                ReservationRequestInterpreter.R_ALL);
        return ReservationDefinition.newInstance(start, start + seconds * SECOND, requests, "test");
    }

    private static ReservationId reserve(RmFixture fixture, int containers, int in, int seconds) throws Exception {
        ReservationId id = client(fixture)
                .getNewReservation(GetNewReservationRequest.newInstance())
                .getReservationId();
        client(fixture)
                .submitReservation(ReservationSubmissionRequest.newInstance(
                        definition(fixture, containers, in, seconds), "work", id));
        return id;
    }

    private static void pass(RmFixture fixture, int seconds) {
        fixture.rm.drainEvents();
        fixture.clock.tick(seconds * SECOND);
        fixture.rm.getRMContext().getReservationSystem().synchronizePlan("root.work", true);
        fixture.rm.drainEvents();
    }

    /** Submits as ann's client would. */
    private static RMApp submit(RmFixture fixture, @Nullable ReservationId reservation, boolean unmanaged)
            throws Exception {
        ApplicationId id = client(fixture)
                .getNewApplication(GetNewApplicationRequest.newInstance())
                .getApplicationId();
        ApplicationSubmissionContext context = Records.newRecord(ApplicationSubmissionContext.class);
        context.setApplicationId(id);
        context.setApplicationName("test");
        context.setQueue("work");
        context.setUnmanagedAM(unmanaged);
        context.setResource(Resource.newInstance(500, 1));
        context.setPriority(Priority.newInstance(0));
        context.setMaxAppAttempts(1);
        context.setAMContainerSpec(Records.newRecord(ContainerLaunchContext.class));
        if (reservation != null) {
            context.setReservationID(reservation);
        }
        UserGroupInformation.createUserForTesting("ann", new String[] {"science"})
                .doAs((PrivilegedExceptionAction<Object>)
                        () -> client(fixture).submitApplication(SubmitApplicationRequest.newInstance(context)));
        fixture.rm.drainEvents();
        return Objects.requireNonNull(fixture.rm.getRMContext().getRMApps().get(id));
    }

    private static RmFixture.App start(RmFixture fixture, @Nullable ReservationId reservation) throws Exception {
        RMApp app = submit(fixture, reservation, true);
        MockAM am = MockRM.launchUAM(app, fixture.rm, fixture.node(A));
        am.registerAppAttempt();
        fixture.rm.drainEvents();
        return fixture.new App(app, am);
    }

    private static String path(ReservationId id) {
        return "root.work." + id;
    }

    private static List<String> queues(RmFixture fixture) {
        return fixture.shell().queues().stream()
                .map(HeddleQueue::getQueueName)
                .sorted()
                .toList();
    }

    @Test
    void aReservationIsAQueueWithItsShareWhileItLasts() throws Exception {
        try (RmFixture fixture = fixture(HALF_IS_PLANNED)) {
            fixture.node(A, 8_000, 16);
            pass(fixture, 0);
            ReservationId id = reserve(fixture, 4, 10, 60);
            pass(fixture, 5);
            assertThat(queues(fixture)).containsExactly("root", "root.other", "root.work", "root.work.work-default");
            RMApp early = submit(fixture, id, true);
            fixture.rm.waitForState(early.getApplicationId(), RMAppState.FAILED);
            assertThat(early.getDiagnostics()).contains("reservation " + id + " is not in force in root.work now");

            pass(fixture, 5);
            assertThat(fixture.queue(path(id)).spec().weights().base()).isEqualTo(0.5);
            assertThat(fixture.queue("root.work.work-default").spec().weights().base())
                    .isEqualTo(0.5);
            RmFixture.App reserved = start(fixture, id);
            RmFixture.App unreserved = start(fixture, null);
            RmFixture.App other = fixture.unmanaged("bob", "other");
            assertThat(reserved.app.getQueue()).isEqualTo(path(id));
            assertThat(unreserved.app.getQueue()).isEqualTo("root.work.work-default");
            for (RmFixture.App app : List.of(reserved, unreserved, other)) {
                app.ask(16, 500, 1);
            }
            fixture.heartbeat();
            assertThat(reserved.collect().containers).hasSize(4);
            assertThat(unreserved.collect().containers).hasSize(4);
            assertThat(other.collect().containers).hasSize(8);
            ClusterInvariants.balance(fixture.shell());

            pass(fixture, 60);
            assertThat(queues(fixture)).doesNotContain(path(id));
            assertThat(fixture.queue("root.work.work-default").spec().weights().base())
                    .isEqualTo(1);
            assertThat(fixture.queue("root.work.work-default").applications()).hasSize(2);
            ClusterInvariants.balance(fixture.shell());
            for (RmFixture.App app : List.of(reserved, unreserved, other)) {
                app.end();
                fixture.finish(app.containers);
            }
            fixture.rm.waitForAppRemovedFromScheduler(early.getApplicationId());
            fixture.assertNothingLeft();
        }
    }

    @Test
    void whatIsReservedIsServedBeforeItsSiblingsHaveMore() throws Exception {
        try (RmFixture fixture = fixture(HALF_IS_PLANNED)) {
            fixture.node(A, 8_000, 16);
            pass(fixture, 0);
            ReservationId id = reserve(fixture, 6, 0, 60);
            pass(fixture, 0);
            RmFixture.App unreserved = start(fixture, null);
            unreserved.ask(10, 500, 1);
            fixture.heartbeat();
            assertThat(unreserved.collect().containers)
                    .as("an idle cluster is lent")
                    .hasSize(10);
            RmFixture.App reserved = start(fixture, id);
            RmFixture.App other = fixture.unmanaged("bob", "other");
            reserved.ask(16, 500, 1);
            other.ask(16, 500, 1);
            unreserved.ask(20, 500, 1);
            fixture.heartbeat();
            assertThat(reserved.collect().containers.size()
                            + other.collect().containers.size())
                    .isEqualTo(6);
            assertThat(unreserved.collect().containers).hasSize(10);
            ClusterInvariants.balance(fixture.shell());
        }
    }

    @Test
    void aReservationCanBeListedChangedAndEnded() throws Exception {
        try (RmFixture fixture = fixture(HALF_IS_PLANNED)) {
            fixture.node(A, 8_000, 16);
            pass(fixture, 0);
            ReservationId id = reserve(fixture, 2, 0, 60);
            assertThat(fixture.queue(path(id)).spec().weights().base())
                    .as("one that starts at once is there at once")
                    .isEqualTo(0.25);
            client(fixture).updateReservation(ReservationUpdateRequest.newInstance(definition(fixture, 8, 0, 60), id));
            pass(fixture, 0);
            assertThat(fixture.queue(path(id)).spec().weights().base()).isEqualTo(1);
            assertThat(fixture.queue("root.work.work-default").spec().weights().base())
                    .isZero();
            assertThat(client(fixture)
                            .listReservations(
                                    ReservationListRequest.newInstance("root.work", id.toString(), 0, -1, true))
                            .getReservationAllocationState())
                    .hasSize(1);
            client(fixture).deleteReservation(ReservationDeleteRequest.newInstance(id));
            pass(fixture, 0);
            assertThat(queues(fixture)).doesNotContain(path(id));
        }
    }

    @Test
    void anApplicationThatIsMovedToAPlanGoesOnThereWithoutAReservation() throws Exception {
        try (RmFixture fixture = fixture(HALF_IS_PLANNED)) {
            fixture.node(A, 8_000, 16);
            pass(fixture, 0);
            RmFixture.App app = fixture.unmanaged("bob", "other");
            fixture.scheduler().preValidateMoveApplication(app.id(), "work");
            assertThat(fixture.scheduler().moveApplication(app.id(), "work")).isEqualTo("root.work.work-default");
            app.end();
            fixture.assertNothingLeft();
        }
    }

    @Test
    void moreThanThePlanHasIsRefusedAndAQueueWithoutPlanToo() throws Exception {
        try (RmFixture fixture = fixture(HALF_IS_PLANNED)) {
            fixture.node(A, 8_000, 16);
            pass(fixture, 0);
            assertThatThrownBy(() -> reserve(fixture, 9, 10, 60)).hasMessageContaining("reservation");
            ReservationId id = client(fixture)
                    .getNewReservation(GetNewReservationRequest.newInstance())
                    .getReservationId();
            assertThatThrownBy(() -> client(fixture)
                            .submitReservation(ReservationSubmissionRequest.newInstance(
                                    definition(fixture, 1, 10, 60), "other", id)))
                    .hasMessageContaining("not managed by reservation system");
        }
    }

    @Test
    void whereExpiryKillsApplicationsEndWithTheirReservation() throws Exception {
        try (RmFixture fixture = fixture(file("<plan><on-expiry>kill</on-expiry></plan>"))) {
            fixture.node(A, 8_000, 16);
            pass(fixture, 0);
            ReservationId id = reserve(fixture, 4, 0, 60);
            RmFixture.App app = start(fixture, id);
            pass(fixture, 61);
            fixture.rm.waitForState(app.id(), RMAppState.KILLED);
            fixture.rm.waitForAppRemovedFromScheduler(app.id());
            pass(fixture, 1);
            assertThat(queues(fixture)).doesNotContain(path(id));
            fixture.assertNothingLeft();
        }
    }

    @Test
    void aPlanThatShrinksTakesBackWhatItCannotKeep() throws Exception {
        try (RmFixture fixture = fixture(HALF_IS_PLANNED)) {
            fixture.node(A, 4_000, 16);
            fixture.node("127.1.0.2", 4_000, 16);
            pass(fixture, 0);
            ReservationId first = reserve(fixture, 3, 0, 600);
            ReservationId second = reserve(fixture, 3, 0, 600);
            pass(fixture, 0);
            assertThat(queues(fixture)).contains(path(first), path(second));
            fixture.rm.unRegisterNode(fixture.nodes.remove("127.1.0.2"));
            fixture.rm.drainEvents();
            pass(fixture, 1);
            pass(fixture, 1);
            assertThat(queues(fixture)).contains(path(first)).doesNotContain(path(second));
            assertThat(fixture.queue(path(first)).spec().weights().base()).isEqualTo(0.75);
        }
    }

    @Test
    void reservationsAndTheirApplicationsAreKnownAgainAfterARestart() throws Exception {
        try (RmFixture fixture = lasting(HALF_IS_PLANNED)) {
            fixture.node(A, 8_000, 16);
            pass(fixture, 0);
            ReservationId lasting = reserve(fixture, 2, 0, 600);
            ReservationId brief = reserve(fixture, 2, 0, 60);
            pass(fixture, 0);
            RmFixture.App stays = managed(fixture, lasting);
            RmFixture.App outlives = managed(fixture, brief);
            restartLater(fixture);
            List<Container> masters = List.of(
                    stays.app.getCurrentAppAttempt().getMasterContainer(),
                    outlives.app.getCurrentAppAttempt().getMasterContainer());
            fixture.node(A).registerNode(RmFixture.running(masters), List.of(stays.id(), outlives.id()));
            pass(fixture, 0);

            assertThat(queue(fixture, stays)).isEqualTo(path(lasting));
            assertThat(queue(fixture, outlives)).isEqualTo("root.work.work-default");
            assertThat(fixture.queue(path(lasting)).spec().weights().base()).isEqualTo(0.25);
            assertThat(fixture.queue(path(lasting)).schedulable().usage(0)).isEqualTo(500);
            assertThat(queues(fixture)).doesNotContain(path(brief));
            ClusterInvariants.balance(fixture.shell());
        }
    }

    /** The old one looks at the same clock, and must not follow the plan any further. */
    private static void restartLater(RmFixture fixture) throws Exception {
        ((AbstractReservationSystem) fixture.rm.getRMContext().getReservationSystem()).stop();
        fixture.clock.tick(100 * SECOND);
        fixture.restart(null);
    }

    private static String queue(RmFixture fixture, RmFixture.App app) {
        return Objects.requireNonNull(fixture.rm.getRMContext().getRMApps().get(app.id()))
                .getQueue();
    }

    private static RmFixture.App managed(RmFixture fixture, ReservationId reservation) throws Exception {
        RMApp app = submit(fixture, reservation, false);
        return fixture.new App(app, fixture.launchAndRegister(app, fixture.node(A)));
    }

    @Test
    void anApplicationWhoseReservationEndedMeanwhileIsKilledOnRecoveryWhereExpiryKills() throws Exception {
        try (RmFixture fixture = lasting(file("<plan><on-expiry>kill</on-expiry></plan>"))) {
            fixture.node(A, 8_000, 16);
            pass(fixture, 0);
            RmFixture.App app = managed(fixture, reserve(fixture, 2, 0, 60));
            restartLater(fixture);
            fixture.node(A)
                    .registerNode(
                            RmFixture.running(
                                    List.of(app.app.getCurrentAppAttempt().getMasterContainer())),
                            List.of(app.id()));
            fixture.rm.waitForState(app.id(), RMAppState.KILLED);
        }
    }

    @Test
    void listsSayWhoMayReserve() throws Exception {
        String lists =
                "<plan><submit-reservations users=\"ann\"/><administer-reservations groups=\"operators\"/></plan>";
        try (RmFixture fixture = fixture(
                file(lists),
                "yarn.acl.enable",
                "true",
                "yarn.acl.reservation-enable",
                "true",
                YarnConfiguration.YARN_ADMIN_ACL,
                "root")) {
            fixture.node(A, 8_000, 16);
            pass(fixture, 0);
            UserGroupInformation ann = UserGroupInformation.createUserForTesting("ann", new String[] {"science"});
            UserGroupInformation bob = UserGroupInformation.createUserForTesting("bob", new String[] {"science"});
            UserGroupInformation op = UserGroupInformation.createUserForTesting("op", new String[] {"operators"});
            ReservationId id = ann.doAs((PrivilegedExceptionAction<ReservationId>) () -> reserve(fixture, 2, 30, 60));
            assertThatThrownBy(() ->
                            bob.doAs((PrivilegedExceptionAction<ReservationId>) () -> reserve(fixture, 2, 30, 60)))
                    .hasStackTraceContaining("bob cannot perform operation SUBMIT_RESERVATIONS on queue work");
            assertThatThrownBy(() -> bob.doAs((PrivilegedExceptionAction<Object>)
                            () -> client(fixture).deleteReservation(ReservationDeleteRequest.newInstance(id))))
                    .hasStackTraceContaining("bob cannot perform operation");
            op.doAs((PrivilegedExceptionAction<Object>)
                    () -> client(fixture).deleteReservation(ReservationDeleteRequest.newInstance(id)));
        }
    }

    @Test
    void anotherSchedulerIsRefusedInOneSentence() {
        assertThatThrownBy(() -> HeddleReservationSystem.ours(
                        new org.apache.hadoop.yarn.server.resourcemanager.scheduler.fifo.FifoScheduler()))
                .hasMessage("yarn.resourcemanager.reservation-system.class ="
                        + " org.heddle.scheduler.yarn.reservation.HeddleReservationSystem works with Heddle's schedulers only, and"
                        + " yarn.resourcemanager.scheduler.class is"
                        + " org.apache.hadoop.yarn.server.resourcemanager.scheduler.fifo.FifoScheduler: change one of"
                        + " the two");
    }

    @Test
    void aPlanThatIsTakenFromTheFileIsHeldUpByItsApplications() throws Exception {
        try (RmFixture fixture = fixture(HALF_IS_PLANNED)) {
            fixture.node(A, 8_000, 16);
            pass(fixture, 0);
            RmFixture.App app = start(fixture, null);
            fixture.write(file("<weight>3</weight>"));
            assertThatThrownBy(() -> fixture.scheduler().reinitialize(fixture.conf, fixture.rm.getRMContext()))
                    .hasMessageContaining("root.work.work-default has 1 applications");
            fixture.write(file("<weight>3</weight><plan/>"));
            fixture.scheduler().reinitialize(fixture.conf, fixture.rm.getRMContext());
            pass(fixture, 0);
            ReservationId id = reserve(fixture, 3, 0, 60);
            assertThat(fixture.queue(path(id)).spec().weights().base()).isEqualTo(0.25);
            fixture.write(file("<weight>1</weight><plan/>"));
            fixture.scheduler().reinitialize(fixture.conf, fixture.rm.getRMContext());
            assertThat(queues(fixture)).contains(path(id));
            app.end();
            fixture.write(file(""));
            fixture.scheduler().reinitialize(fixture.conf, fixture.rm.getRMContext());
            assertThat(queues(fixture)).containsExactly("root", "root.other", "root.work");
            assertThat(fixture.rm.getRMContext().getReservationSystem().getPlan("work"))
                    .isNull();
        }
    }
}
