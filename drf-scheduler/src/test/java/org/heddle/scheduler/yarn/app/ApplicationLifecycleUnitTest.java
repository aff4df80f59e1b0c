// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Objects;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ReservationId;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.placement.ApplicationPlacementContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptAddedSchedulerEvent;
import org.heddle.scheduler.yarn.PartsFixture;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each decision about applications and attempts; {@link ApplicationLifecycleTest} shows them in a ResourceManager. */
@Tag("newer-line")
class ApplicationLifecycleUnitTest {
    private static final String QUEUES = "<queue name=\"root\"><submit/><administer/>"
            + "<queue name=\"a\"/><queue name=\"b\"/>"
            + "<queue name=\"one\"><max-running-apps>1</max-running-apps></queue>"
            + "<queue name=\"small\"><max-resources-per-application><resource name=\"vcores\">2</resource>"
            + "</max-resources-per-application></queue>"
            + "<queue name=\"user\"><max-resources-per-user><resource name=\"vcores\">2</resource>"
            + "</max-resources-per-user></queue>"
            + "<queue name=\"full\"><max-resources><resource name=\"vcores\">2</resource></max-resources></queue>"
            + "<queue name=\"group\"><max-running-apps>1</max-running-apps>"
            + "<max-resources><resource name=\"vcores\">2</resource></max-resources>"
            + "<queue name=\"x\"/><queue name=\"y\"/></queue>"
            + "<queue name=\"stopped\"><state>stopped</state></queue>"
            + "<queue name=\"planned\"><plan><on-expiry>kill</on-expiry></plan></queue></queue>";

    private final PartsFixture fixture;
    private final ApplicationLifecycle lifecycle;

    ApplicationLifecycleUnitTest() throws Exception {
        fixture = new PartsFixture(QUEUES);
        lifecycle = fixture.lifecycle;
    }

    private ApplicationId admittedId() {
        ApplicationId id = fixture.newId();
        fixture.admitted.add(id);
        return id;
    }

    private static AppAddedSchedulerEvent event(
            ApplicationId id,
            String queue,
            boolean recovering,
            @Nullable ReservationId reservation,
            @Nullable String placedIn) {
        return new AppAddedSchedulerEvent(
                id,
                queue,
                "ann",
                recovering,
                reservation,
                Priority.newInstance(3),
                placedIn == null ? null : new ApplicationPlacementContext(placedIn));
    }

    private RMAppEvent lastEvent() {
        Event<?> last = fixture.events.get(fixture.events.size() - 1);
        return (RMAppEvent) last;
    }

    private void assertRejected(ApplicationId id, String why) {
        assertThat(lastEvent().getApplicationId()).isEqualTo(id);
        assertThat(lastEvent().getType()).isEqualTo(RMAppEventType.APP_REJECTED);
        assertThat(lastEvent().getDiagnosticMsg()).contains(why);
        assertThat(fixture.events).hasSize(1);
        assertThat(lifecycle.application(id)).isNull();
    }

    @Test
    void anAcceptedApplicationIsInItsQueue() {
        ApplicationId id = admittedId();
        int before = fixture.queue("root.a").getMetrics().getAppsSubmitted();
        lifecycle.add(event(id, "a", false, null, null));
        HeddleApplication application = fixture.application(id);
        assertThat(lastEvent().getType()).isEqualTo(RMAppEventType.APP_ACCEPTED);
        assertThat(application.leaf().getQueueName()).isEqualTo("root.a");
        assertThat(application.leaf().applications()).containsExactly(application);
        assertThat(application.leaf().getMetrics().getAppsSubmitted()).isEqualTo(before + 1);
        assertThat(application.getPriority().getPriority()).isEqualTo(3);
        assertThat(application.schedulable().priority()).isEqualTo(3);
        assertThat(application.schedulable().limit()).isNull();
        assertThat(application.schedulable().toString()).isEqualTo("root.a.ann." + id);
        assertThat(Objects.requireNonNull(fixture.rmApps.get(id))
                        .getApplicationSubmissionContext()
                        .getQueue())
                .isEqualTo("root.a");
    }

    @Test
    void withoutAPriorityItIsZero() {
        ApplicationId id = admittedId();
        lifecycle.add(new AppAddedSchedulerEvent(id, "root.small", "ann"));
        assertThat(fixture.application(id).getPriority().getPriority()).isZero();
        assertThat(fixture.application(id).schedulable().limit()).contains(2);
    }

    @Test
    void placementDecidesTheQueueAndNotWhatWasAskedFor() {
        ApplicationId id = admittedId();
        lifecycle.add(event(id, "a", false, null, "root.b"));
        assertThat(fixture.application(id).leaf().getQueueName()).isEqualTo("root.b");
    }

    @Test
    void anUnknownQueueIsRefused() {
        ApplicationId id = admittedId();
        lifecycle.add(event(id, "nowhere", false, null, null));
        assertRejected(id, "unknown queue: nowhere; name one of [root.a, root.b");
    }

    @Test
    void aQueueWithQueuesBelowItIsRefused() {
        ApplicationId id = admittedId();
        lifecycle.add(event(id, "group", false, null, null));
        assertRejected(id, "queue group has queues below it and takes no applications");
    }

    @Test
    void aStoppedQueueIsRefused() {
        ApplicationId id = admittedId();
        lifecycle.add(event(id, "stopped", false, null, null));
        assertRejected(id, "is refused: queue root.stopped is stopped");
    }

    @Test
    void aReservationThatIsNotInForceIsRefused() {
        ApplicationId id = admittedId();
        lifecycle.add(event(id, "planned", false, ReservationId.newInstance(1, 1), null));
        assertRejected(id, "is not in force in root.planned now");
    }

    @Test
    void aPlanWithoutAReservationHasAQueueForTheRest() {
        ApplicationId id = admittedId();
        lifecycle.add(event(id, "planned", false, null, null));
        assertThat(fixture.application(id).leaf().getQueueName()).startsWith("root.planned.");
        assertThat(fixture.events).hasSize(1);
    }

    /** No access list is looked at for a recovered one, and a queue that is gone is replaced. */
    @Test
    void aRecoveredApplicationIsNeverRefused() {
        ApplicationId gone = fixture.newId();
        lifecycle.add(event(gone, "root.gone", true, null, null));
        assertThat(fixture.application(gone).leaf().getQueueName()).isEqualTo("root.recovered");
        ApplicationId stopped = fixture.newId();
        lifecycle.add(event(stopped, "stopped", true, null, null));
        assertThat(fixture.application(stopped).leaf().getQueueName()).isEqualTo("root.stopped");
        assertThat(fixture.events).as("it was accepted before").isEmpty();
    }

    @Test
    void aRecoveredApplicationWhoseReservationIsOverIsKilled() {
        ApplicationId id = fixture.newId();
        ReservationId reservation = ReservationId.newInstance(1, 1);
        lifecycle.add(event(id, "planned", true, reservation, null));
        assertThat(lastEvent().getType()).isEqualTo(RMAppEventType.KILL);
        assertThat(lastEvent().getDiagnosticMsg()).contains(reservation + " of application " + id + " is over");
        assertThat(fixture.events).hasSize(1);
    }

    @Test
    void newQueuesAreMadeForPlacedAndRecoveredApplicationsOnly() throws Exception {
        PartsFixture open = new PartsFixture("<new-queues/><queue name=\"root\"><queue name=\"a\"/></queue>");
        ApplicationId named = open.newId();
        open.lifecycle.add(event(named, "root.new", false, null, null));
        assertThat(open.lifecycle.application(named)).isNull();
        ApplicationId placed = open.newId();
        open.lifecycle.add(event(placed, "a", false, null, "root.new"));
        assertThat(open.application(placed).leaf().getQueueName()).isEqualTo("root.new");
        ApplicationId recovered = open.newId();
        open.lifecycle.add(event(recovered, "root.old", true, null, null));
        assertThat(open.application(recovered).leaf().getQueueName()).isEqualTo("root.old");
    }

    @Test
    void anAttemptOfNoApplicationIsIgnored() {
        lifecycle.addAttempt(
                new AppAttemptAddedSchedulerEvent(ApplicationAttemptId.newInstance(fixture.newId(), 1), false));
        assertThat(fixture.events).isEmpty();
    }

    @Test
    void anAttemptIsAnnouncedUnlessItIsRecovered() {
        HeddleAttempt first = fixture.app("ann", "root.a");
        assertThat(fixture.events).last().extracting(Event::getType).isEqualTo(RMAppAttemptEventType.ATTEMPT_ADDED);
        assertThat(first.application().isRunnable()).isTrue();
        int before = fixture.events.size();
        lifecycle.addAttempt(new AppAttemptAddedSchedulerEvent(
                ApplicationAttemptId.newInstance(first.getApplicationId(), 2), false, true));
        assertThat(fixture.events).hasSize(before);
        assertThat(first.application().getCurrentAppAttempt()).isNotSameAs(first);
    }

    /** One container runs and one does not yet. */
    private HeddleAttempt running(String queue) {
        HeddleNode node = fixture.node("n1", 4);
        HeddleAttempt attempt = fixture.app("ann", queue);
        fixture.ask(attempt, 2, 1);
        fixture.offer(node);
        RMContainer container = PartsFixture.on(node, attempt).get(1);
        container.handle(new RMContainerEvent(container.getContainerId(), RMContainerEventType.ACQUIRED));
        container.handle(new RMContainerEvent(container.getContainerId(), RMContainerEventType.LAUNCHED));
        assertThat(container.getState()).isEqualTo(RMContainerState.RUNNING);
        return attempt;
    }

    @Test
    void anAttemptThatEndsTakesItsContainersAlong() {
        HeddleAttempt attempt = running("root.a");
        lifecycle.removeAttempt(attempt.getApplicationAttemptId(), RMAppAttemptState.FAILED, false);
        assertThat(fixture.terminated).hasSize(2);
        assertThat(fixture.unreserved).containsExactly(attempt);
        assertThat(attempt.isStopped()).isTrue();
        assertThat(PartsFixture.schedulable(attempt).running()).isZero();
        lifecycle.removeAttempt(attempt.getApplicationAttemptId(), RMAppAttemptState.FAILED, false);
        assertThat(fixture.unreserved).as("it has ended already").hasSize(1);
    }

    @Test
    void runningContainersThatAreKeptGoToTheNextAttempt() {
        HeddleAttempt first = running("root.a");
        lifecycle.removeAttempt(first.getApplicationAttemptId(), RMAppAttemptState.FAILED, true);
        assertThat(fixture.terminated).hasSize(1);
        HeddleAttempt second = fixture.attempt(first.getApplicationId(), 2, true);
        assertThat(second.getLiveContainers()).hasSize(1);
        lifecycle.removeAttempt(first.getApplicationAttemptId(), RMAppAttemptState.FAILED, false);
        assertThat(second.isStopped()).as("another attempt was meant").isFalse();
        assertThat(fixture.unreserved).hasSize(1);
        lifecycle.removeAttempt(second.getApplicationAttemptId(), RMAppAttemptState.FAILED, true);
        lifecycle.remove(first.getApplicationId(), RMAppState.FAILED);
        assertThat(fixture.terminated).as("nobody takes it over").hasSize(2);
    }

    @Test
    void withoutTransferTheNextAttemptStartsEmpty() {
        HeddleAttempt first = running("root.a");
        lifecycle.removeAttempt(first.getApplicationAttemptId(), RMAppAttemptState.FAILED, true);
        assertThat(fixture.attempt(first.getApplicationId(), 2, false).getLiveContainers())
                .isEmpty();
    }

    @Test
    void aMasterCountsUntilItsAttemptEnds() {
        HeddleAttempt attempt = fixture.app("ann", "root.a");
        attempt.amStarted(PartsFixture.size(1));
        assertThat(fixture.queue("root.a").masters()).isEqualTo(1);
        lifecycle.removeAttempt(attempt.getApplicationAttemptId(), RMAppAttemptState.FAILED, false);
        assertThat(fixture.queue("root.a").masters()).isZero();
        assertThat(attempt.isAmRunning()).isFalse();
    }

    @Test
    void aRemovedApplicationMakesRoomForTheNextOne() {
        HeddleAttempt first = fixture.app("ann", "root.one");
        HeddleAttempt second = fixture.app("ben", "root.one");
        int before = fixture.queue("root.one").getMetrics().getAppsCompleted();
        assertThat(lifecycle.whyNotAdmitted(first.application())).isNull();
        assertThat(lifecycle.whyNotAdmitted(second.application())).contains("queue root.one runs 1 applications");
        lifecycle.removeAttempt(first.getApplicationAttemptId(), RMAppAttemptState.FINISHED, false);
        lifecycle.remove(first.getApplicationId(), RMAppState.FINISHED);
        assertThat(second.application().isRunnable()).isTrue();
        assertThat(fixture.queue("root.one").users()).containsOnlyKeys("ben");
        assertThat(fixture.queue("root.one").applications()).containsExactly(second.application());
        assertThat(lifecycle.application(first.getApplicationId())).isNull();
        lifecycle.remove(first.getApplicationId(), RMAppState.FINISHED);
        assertThat(fixture.queue("root.one").getMetrics().getAppsCompleted()).isEqualTo(before + 1);
    }

    @Test
    void aRemovedApplicationTakesAnAttemptThatStillAsksAlong() throws Exception {
        HeddleAttempt attempt = running("root.a");
        fixture.ask(attempt, 3, 1);
        assertThat(fixture.queue("root.a").schedulable().pending()).isEqualTo(3);
        lifecycle.remove(attempt.getApplicationId(), RMAppState.KILLED);
        assertThat(attempt.isStopped()).isTrue();
        assertThat(lifecycle.application(attempt.getApplicationId())).isNull();
        assertThat(fixture.queue("root.a").schedulable().pending()).isZero();
        assertThat(fixture.queue("root.a").schedulable().usage()).containsOnly(0);
        assertThat(fixture.queue("root.a").users()).isEmpty();
    }

    @Test
    void aMovedApplicationTakesEverythingAlong() throws Exception {
        HeddleAttempt attempt = running("root.a");
        attempt.amStarted(PartsFixture.size(1));
        assertThat(lifecycle.move(attempt.getApplicationId(), "b")).isEqualTo("root.b");
        assertThat(attempt.application().leaf()).isSameAs(fixture.queue("root.b"));
        assertThat(fixture.queue("root.a").applications()).isEmpty();
        assertThat(fixture.queue("root.a").users()).isEmpty();
        assertThat(fixture.queue("root.a").masters()).isZero();
        assertThat(fixture.queue("root.b").masters()).isEqualTo(1);
        assertThat(fixture.queue("root.b").applications()).containsExactly(attempt.application());
        assertThat(fixture.queue("root.b").schedulable().running()).isEqualTo(2);
        assertThat(attempt.application().isRunnable()).isTrue();
        assertThat(fixture.unreserved).containsExactly(attempt);
        assertThat(lifecycle.move(attempt.getApplicationId(), "b")).isEqualTo("root.b");
        assertThat(fixture.unreserved).as("it was there already").hasSize(1);
    }

    @Test
    void aMoveAwayLetsTheNextOneRunAndSetsTheLimitOfTheNewQueue() throws Exception {
        HeddleAttempt first = fixture.app("ann", "root.one");
        HeddleAttempt second = fixture.app("ben", "root.one");
        lifecycle.move(first.getApplicationId(), "root.small");
        assertThat(second.application().isRunnable()).isTrue();
        assertThat(PartsFixture.schedulable(first).limit()).contains(2);
        lifecycle.move(first.getApplicationId(), "root.a");
        assertThat(PartsFixture.schedulable(first).limit()).isNull();
    }

    @Test
    void anApplicationWithoutAnAttemptMovesToo() throws Exception {
        ApplicationId id = admittedId();
        lifecycle.add(event(id, "a", false, null, null));
        assertThat(lifecycle.move(id, "b")).isEqualTo("root.b");
        assertThat(fixture.application(id).isRunnable())
                .as("it has not run yet")
                .isFalse();
    }

    @Test
    void aMoveIsRefusedInOneSentence() {
        HeddleAttempt attempt = running("root.a");
        fixture.ask(attempt, 1, 1);
        fixture.offer(fixture.node("n2", 4));
        fixture.app("ben", "root.one");
        assertMoveRefused(attempt, "one", "queue root.one runs 1 applications");
        assertMoveRefused(attempt, "small", "it holds more than the max-resources-per-application there");
        assertMoveRefused(attempt, "user", "user ann would hold more there than its max-resources-per-user");
        assertMoveRefused(attempt, "full", "queue root.full would hold more than its max-resources");
        assertMoveRefused(attempt, "x", "queue root.group would hold more than its max-resources");
        assertMoveRefused(attempt, "nowhere", "target queue nowhere does not exist or is not a leaf queue");
        assertMoveRefused(attempt, "group", "target queue group does not exist or is not a leaf queue");
        assertMoveRefused(attempt, "stopped", "cannot be moved: queue root.stopped is stopped");
        assertThat(attempt.application().leaf()).isSameAs(fixture.queue("root.a"));
        ApplicationId unknown = fixture.newId();
        assertThatThrownBy(() -> lifecycle.move(unknown, "b")).hasMessageContaining("is not known to the scheduler");
    }

    /** The user has applications there already, which count too. */
    @Test
    void whatAUserHasInTheNewQueueCounts() {
        HeddleAttempt there = fixture.app("ann", "root.user");
        fixture.engine.hold(PartsFixture.schedulable(there), fixture.vectors.of(PartsFixture.size(1)));
        assertMoveRefused(running("root.a"), "user", "user ann would hold more there");
    }

    private void assertMoveRefused(HeddleAttempt attempt, String to, String why) {
        assertThatThrownBy(() -> lifecycle.move(attempt.getApplicationId(), to))
                .isInstanceOf(YarnException.class)
                .hasMessageContaining(why);
    }

    /** What is above both queues changes nothing: its limits hold the application already. */
    @Test
    void limitsAboveBothQueuesDoNotForbidAMove() throws Exception {
        HeddleAttempt attempt = running("root.group.x");
        assertThat(lifecycle.move(attempt.getApplicationId(), "root.group.y")).isEqualTo("root.group.y");
        assertThat(attempt.application().isRunnable()).isTrue();
    }

    @Test
    void oneThatWaitsMayMoveToAFullQueue() throws Exception {
        fixture.app("ann", "root.one");
        HeddleAttempt waiting = fixture.app("ben", "root.one");
        fixture.app("cleo", "root.group.x");
        assertThat(lifecycle.move(waiting.getApplicationId(), "root.group.y")).isEqualTo("root.group.y");
        assertThat(waiting.application().isRunnable()).isFalse();
    }

    @Test
    void aPlanIsATargetToo() throws Exception {
        HeddleAttempt attempt = fixture.app("ann", "root.a");
        assertThat(lifecycle.move(attempt.getApplicationId(), "planned")).startsWith("root.planned.");
    }

    @Test
    void aPriorityIsThatOfApplicationAttemptAndPlace() {
        HeddleAttempt attempt = fixture.app("ann", "root.a");
        lifecycle.prioritize(attempt.application(), Priority.newInstance(7));
        assertThat(attempt.application().getPriority().getPriority()).isEqualTo(7);
        assertThat(attempt.getPriority().getPriority()).isEqualTo(7);
        assertThat(PartsFixture.schedulable(attempt).priority()).isEqualTo(7);
    }

    /** 1,000 MB held and 2,000 asked for: log2(3001). */
    @Test
    void theWeightFollowsTheSizeWhereThatIsConfigured() throws Exception {
        PartsFixture sized = new PartsFixture(
                "<size-based-weight>true</size-based-weight><queue name=\"root\"><queue name=\"a\"/></queue>");
        HeddleAttempt attempt = sized.app("ann", "root.a");
        sized.lifecycle.weigh(attempt);
        assertThat(PartsFixture.schedulable(attempt).weight(0)).isEqualTo(1e-6);
        sized.engine.hold(PartsFixture.schedulable(attempt), sized.vectors.of(PartsFixture.size(1)));
        sized.ask(attempt, 2, 1);
        sized.lifecycle.weigh(attempt);
        assertThat(PartsFixture.schedulable(attempt).weight(0)).isCloseTo(11.5512, within(1e-3));
        HeddleAttempt even = fixture.app("ann", "root.a");
        fixture.engine.setWeight(PartsFixture.schedulable(even), new double[] {5, 5});
        lifecycle.weigh(even);
        assertThat(PartsFixture.schedulable(even).weight(0)).isEqualTo(1);
    }
}
