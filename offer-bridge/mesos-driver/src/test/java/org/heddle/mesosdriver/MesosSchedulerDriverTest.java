// SPDX-License-Identifier: Apache-2.0
package org.heddle.mesosdriver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.apache.mesos.MesosSchedulerDriver;
import org.apache.mesos.Protos.CommandInfo;
import org.apache.mesos.Protos.Credential;
import org.apache.mesos.Protos.ExecutorID;
import org.apache.mesos.Protos.Filters;
import org.apache.mesos.Protos.FrameworkID;
import org.apache.mesos.Protos.FrameworkInfo;
import org.apache.mesos.Protos.Offer;
import org.apache.mesos.Protos.OfferID;
import org.apache.mesos.Protos.Request;
import org.apache.mesos.Protos.SlaveID;
import org.apache.mesos.Protos.Status;
import org.apache.mesos.Protos.TaskID;
import org.apache.mesos.Protos.TaskInfo;
import org.apache.mesos.Protos.TaskState;
import org.apache.mesos.Protos.TaskStatus;
import org.apache.mesos.scheduler.Protos.Call;
import org.apache.mesos.scheduler.Protos.Event;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The driver against a scripted master: what it sends, what it calls back, and its states. */
class MesosSchedulerDriverTest {
    private static final FrameworkInfo INFO =
            FrameworkInfo.newBuilder().setName("test").setUser("").build();
    private static final OfferID OFFER = OfferID.newBuilder().setValue("o1").build();
    private static final SlaveID AGENT = SlaveID.newBuilder().setValue("a1").build();

    private FakeMaster master;
    private RecordingScheduler scheduler;

    @BeforeEach
    void begin() throws Exception {
        master = new FakeMaster();
        scheduler = new RecordingScheduler();
    }

    @AfterEach
    void end() {
        master.close();
    }

    private MesosSchedulerDriver registered(MesosSchedulerDriver driver) throws Exception {
        assertThat(driver.start()).isEqualTo(Status.DRIVER_RUNNING);
        master.await(Call.Type.SUBSCRIBE);
        master.subscribed("f1");
        assertThat(scheduler.next()).isEqualTo("registered f1 master");
        return driver;
    }

    private static TaskInfo task(String id) {
        return TaskInfo.newBuilder()
                .setName(id)
                .setTaskId(TaskID.newBuilder().setValue(id))
                .setSlaveId(AGENT)
                .setCommand(CommandInfo.newBuilder().setValue("true"))
                .build();
    }

    private static TaskStatus running(String id) {
        return TaskStatus.newBuilder()
                .setTaskId(TaskID.newBuilder().setValue(id))
                .setSlaveId(AGENT)
                .setState(TaskState.TASK_RUNNING)
                .setUuid(ByteString.copyFromUtf8("0123456789abcdef"))
                .build();
    }

    private static Event update(TaskStatus status) {
        return Event.newBuilder()
                .setType(Event.Type.UPDATE)
                .setUpdate(Event.Update.newBuilder().setStatus(status))
                .build();
    }

    @Test
    void everyCallArrivesWithTheFrameworkId() throws Exception {
        MesosSchedulerDriver driver = registered(new MesosSchedulerDriver(scheduler, INFO, master.address()));
        driver.launchTasks(
                OFFER,
                List.of(task("t1")),
                Filters.newBuilder().setRefuseSeconds(7).build());
        Call accept = master.await(Call.Type.ACCEPT);
        assertThat(accept.getFrameworkId().getValue()).isEqualTo("f1");
        assertThat(accept.getAccept().getOfferIdsList()).containsExactly(OFFER);
        assertThat(accept.getAccept().getOperations(0).getLaunch().getTaskInfosList())
                .containsExactly(task("t1"));
        assertThat(accept.getAccept().getFilters().getRefuseSeconds()).isEqualTo(7);
        Offer.Operation operation = accept.getAccept().getOperations(0);
        driver.acceptOffers(List.of(OFFER), List.of(operation), Filters.getDefaultInstance());
        assertThat(master.await(Call.Type.ACCEPT).getAccept().getOperationsList())
                .containsExactly(operation);
        driver.declineOffer(OFFER);
        assertThat(master.await(Call.Type.DECLINE).getDecline().getOfferIdsList())
                .containsExactly(OFFER);
        driver.killTask(task("t1").getTaskId());
        assertThat(master.await(Call.Type.KILL).getKill().getTaskId())
                .isEqualTo(task("t1").getTaskId());
        driver.reconcileTasks(List.of(running("t1")));
        assertThat(master.await(Call.Type.RECONCILE).getReconcile().getTasks(0))
                .isEqualTo(Call.Reconcile.Task.newBuilder()
                        .setTaskId(task("t1").getTaskId())
                        .setSlaveId(AGENT)
                        .build());
        driver.requestResources(List.of(Request.newBuilder().setSlaveId(AGENT).build()));
        assertThat(master.await(Call.Type.REQUEST).getRequest().getRequests(0).getSlaveId())
                .isEqualTo(AGENT);
        driver.sendFrameworkMessage(ExecutorID.newBuilder().setValue("e1").build(), AGENT, new byte[] {1, 2});
        assertThat(master.await(Call.Type.MESSAGE).getMessage())
                .isEqualTo(Call.Message.newBuilder()
                        .setSlaveId(AGENT)
                        .setExecutorId(ExecutorID.newBuilder().setValue("e1"))
                        .setData(ByteString.copyFrom(new byte[] {1, 2}))
                        .build());
        driver.reviveOffers(List.of("r1"));
        assertThat(master.await(Call.Type.REVIVE).getRevive().getRolesList()).containsExactly("r1");
        assertThat(driver.stop()).isEqualTo(Status.DRIVER_STOPPED);
        assertThat(master.await(Call.Type.TEARDOWN).getFrameworkId().getValue()).isEqualTo("f1");
    }

    @Test
    void updatesAreAcknowledgedAfterTheCallBack() throws Exception {
        MesosSchedulerDriver driver = registered(new MesosSchedulerDriver(scheduler, INFO, master.address()));
        master.send(update(running("t1")));
        assertThat(scheduler.next()).startsWith("t1 TASK_RUNNING");
        assertThat(master.await(Call.Type.ACKNOWLEDGE).getAcknowledge())
                .isEqualTo(Call.Acknowledge.newBuilder()
                        .setSlaveId(AGENT)
                        .setTaskId(running("t1").getTaskId())
                        .setUuid(running("t1").getUuid())
                        .build());
        assertThatThrownBy(() -> driver.acknowledgeStatusUpdate(running("t1")))
                .hasMessageContaining("implicit acknowledgements");
        driver.stop();
    }

    @Test
    void anExplicitSchedulerAcknowledgesItself() throws Exception {
        MesosSchedulerDriver driver = registered(new MesosSchedulerDriver(scheduler, INFO, master.address(), false));
        master.send(update(running("t1")));
        assertThat(scheduler.next()).startsWith("t1 TASK_RUNNING");
        driver.killTask(task("t2").getTaskId());
        driver.acknowledgeStatusUpdate(running("t1"));
        driver.acknowledgeStatusUpdate(running("t3").toBuilder().clearUuid().build());
        driver.declineOffer(OFFER);
        assertThat(master.calls.take().getType()).isEqualTo(Call.Type.KILL);
        assertThat(master.calls.take().getType()).isEqualTo(Call.Type.ACKNOWLEDGE);
        assertThat(master.calls.take().getType()).isEqualTo(Call.Type.DECLINE);
        driver.stop();
    }

    @Test
    void eventsBecomeCallBacks() throws Exception {
        MesosSchedulerDriver driver = registered(new MesosSchedulerDriver(scheduler, INFO, master.address()));
        master.send(Event.newBuilder()
                .setType(Event.Type.OFFERS)
                .setOffers(Event.Offers.newBuilder()
                        .addOffers(Offer.newBuilder()
                                .setId(OFFER)
                                .setSlaveId(AGENT)
                                .setHostname("h")
                                .setFrameworkId(FrameworkID.newBuilder().setValue("f1"))))
                .build());
        master.send(Event.newBuilder()
                .setType(Event.Type.RESCIND)
                .setRescind(Event.Rescind.newBuilder().setOfferId(OFFER))
                .build());
        ExecutorID executor = ExecutorID.newBuilder().setValue("e1").build();
        master.send(Event.newBuilder()
                .setType(Event.Type.MESSAGE)
                .setMessage(Event.Message.newBuilder()
                        .setSlaveId(AGENT)
                        .setExecutorId(executor)
                        .setData(ByteString.copyFromUtf8("abc")))
                .build());
        Event.Failure.Builder failure = Event.Failure.newBuilder()
                .setSlaveId(AGENT)
                .setExecutorId(executor)
                .setStatus(9);
        master.send(Event.newBuilder()
                .setType(Event.Type.FAILURE)
                .setFailure(failure)
                .build());
        master.send(Event.newBuilder()
                .setType(Event.Type.FAILURE)
                .setFailure(failure.clone().clearExecutorId())
                .build());
        assertThat(scheduler.next()).isEqualTo("offer o1");
        assertThat(scheduler.next()).isEqualTo("rescinded o1");
        assertThat(scheduler.next()).isEqualTo("message of e1 on a1: 3");
        assertThat(scheduler.next()).isEqualTo("executor lost e1 on a1 9");
        assertThat(scheduler.next()).isEqualTo("agent lost a1");
        driver.stop();
    }

    @Test
    void aLostMasterIsFoundAgainAndSuppressedRolesStaySuppressed() throws Exception {
        MesosSchedulerDriver driver = registered(new MesosSchedulerDriver(scheduler, INFO, master.address()));
        driver.suppressOffers();
        master.await(Call.Type.SUPPRESS);
        master.breakStream();
        assertThat(scheduler.next()).isEqualTo("disconnected");
        Call again = master.await(Call.Type.SUBSCRIBE);
        assertThat(again.getFrameworkId().getValue()).isEqualTo("f1");
        assertThat(again.getSubscribe().getFrameworkInfo().getId().getValue()).isEqualTo("f1");
        assertThat(again.getSubscribe().getFrameworkInfo().getUser()).isEqualTo(System.getProperty("user.name"));
        assertThat(again.getSubscribe().getSuppressedRolesList()).containsExactly("*");
        driver.launchTasks(List.of(OFFER), List.of(task("t1")));
        assertThat(scheduler.next()).isEqualTo("t1 TASK_LOST REASON_MASTER_DISCONNECTED");
        driver.killTask(task("t0").getTaskId());
        master.subscribed("f1");
        assertThat(scheduler.next()).isEqualTo("reregistered master");
        assertThat(master.await(Call.Type.KILL).getKill().getTaskId().getValue())
                .isEqualTo("t0");
        driver.stop();
    }

    @Test
    void aLaunchWithoutAnAnswerIsReconciled() throws Exception {
        MesosSchedulerDriver driver = registered(new MesosSchedulerDriver(scheduler, INFO, master.address()));
        master.answer = 0;
        driver.launchTasks(List.of(OFFER), List.of(task("t1")));
        assertThat(scheduler.next()).isEqualTo("disconnected");
        master.await(Call.Type.SUBSCRIBE);
        master.answer = 202;
        master.subscribed("f1");
        Call.Reconcile.Task asked =
                master.await(Call.Type.RECONCILE).getReconcile().getTasks(0);
        assertThat(asked.getTaskId().getValue()).isEqualTo("t1");
        assertThat(asked.getSlaveId()).isEqualTo(AGENT);
        driver.stop();
    }

    @Test
    void aRefusedLaunchIsAnError() throws Exception {
        MesosSchedulerDriver driver = registered(new MesosSchedulerDriver(scheduler, INFO, master.address()));
        master.answer = 403;
        driver.launchTasks(List.of(OFFER), List.of(task("t1")));
        assertThat(scheduler.next()).isEqualTo("t1 TASK_ERROR REASON_TASK_UNAUTHORIZED");
        driver.stop(true);
    }

    @Test
    void statesAreThoseOfMesos() throws Exception {
        MesosSchedulerDriver driver = new MesosSchedulerDriver(scheduler, INFO, master.address());
        assertThat(driver.join()).isEqualTo(Status.DRIVER_NOT_STARTED);
        assertThat(driver.reviveOffers()).isEqualTo(Status.DRIVER_NOT_STARTED);
        registered(driver);
        assertThat(driver.start()).isEqualTo(Status.DRIVER_RUNNING);
        assertThat(driver.abort()).isEqualTo(Status.DRIVER_ABORTED);
        assertThat(driver.join()).isEqualTo(Status.DRIVER_ABORTED);
        assertThat(driver.launchTasks(List.of(OFFER), List.of(task("t1")))).isEqualTo(Status.DRIVER_ABORTED);
        assertThat(driver.stop()).isEqualTo(Status.DRIVER_ABORTED);
        assertThat(driver.stop()).isEqualTo(Status.DRIVER_STOPPED);
    }

    @Test
    void anErrorAbortsBeforeItsCallBack() throws Exception {
        MesosSchedulerDriver driver = registered(new MesosSchedulerDriver(scheduler, INFO, master.address()));
        master.send(Event.newBuilder()
                .setType(Event.Type.ERROR)
                .setError(Event.Error.newBuilder().setMessage("Framework failed over"))
                .build());
        assertThat(scheduler.next()).isEqualTo("error Framework failed over");
        assertThat(driver.join()).isEqualTo(Status.DRIVER_ABORTED);
    }

    @Test
    void aSchedulerThatThrowsAborts() throws Exception {
        RecordingScheduler failing = new RecordingScheduler() {
            @Override
            public void offerRescinded(org.apache.mesos.SchedulerDriver driver, OfferID offerId) {
                throw new IllegalStateException("a bug");
            }
        };
        scheduler = failing;
        MesosSchedulerDriver driver = registered(new MesosSchedulerDriver(failing, INFO, master.address()));
        master.send(Event.newBuilder()
                .setType(Event.Type.RESCIND)
                .setRescind(Event.Rescind.newBuilder().setOfferId(OFFER))
                .build());
        assertThat(failing.next()).contains("error the scheduler failed").contains("a bug");
        assertThat(driver.join()).isEqualTo(Status.DRIVER_ABORTED);
    }

    @Test
    void aStandbyRedirectsAndCredentialsGoAlong() throws Exception {
        try (FakeMaster standby = new FakeMaster()) {
            standby.redirect = master.address();
            Credential credential = Credential.newBuilder()
                    .setPrincipal("etl")
                    .setSecret("not a real secret")
                    .build();
            MesosSchedulerDriver driver =
                    registered(new MesosSchedulerDriver(scheduler, INFO, standby.address(), credential));
            assertThat(master.authorizations.take())
                    .isEqualTo("Basic "
                            + Base64.getEncoder()
                                    .encodeToString("etl:not a real secret".getBytes(StandardCharsets.UTF_8)));
            driver.stop();
        }
    }

    @Test
    void aWrongMasterIsAnError() throws Exception {
        MesosSchedulerDriver driver = new MesosSchedulerDriver(scheduler, INFO, "zk://nowhere");
        assertThat(driver.run()).isEqualTo(Status.DRIVER_ABORTED);
        assertThat(scheduler.next()).contains("zk://nowhere").contains("zk://host:port,host:port/path");
    }
}
