// SPDX-License-Identifier: Apache-2.0
import com.mesosphere.mesos.rx.java.AwaitableSubscription;
import com.mesosphere.mesos.rx.java.SinkOperation;
import com.mesosphere.mesos.rx.java.SinkOperations;
import com.mesosphere.mesos.rx.java.protobuf.ProtobufMesosClientBuilder;
import com.mesosphere.mesos.rx.java.protobuf.SchedulerCalls;
import com.mesosphere.mesos.rx.java.util.UserAgentEntries;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.mesos.v1.Protos.CommandInfo;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.Resource;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.Protos.Value;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.apache.mesos.v1.scheduler.Protos.Event;
import rx.Observable;

/**
 * A framework on the published mesos-rxjava 0.2.0, which nobody changed for us. Runs some short tasks, kills a long
 * one, ends with 0 when all have ended as they should. Compiled by the test that runs it.
 *
 * <p>Arguments: the bridge's scheduler address, the number of tasks.
 */
public final class RxSleeper {
    private static final FrameworkID FRAMEWORK =
            FrameworkID.newBuilder().setValue("rx-" + UUID.randomUUID()).build();
    private static final Set<String> FINISHED = Collections.synchronizedSet(new TreeSet<>());
    private static int wanted;
    private static int launched;
    private static boolean killed;

    private RxSleeper() {}

    public static void main(String[] args) throws Throwable {
        wanted = Integer.parseInt(args[1]);
        AwaitableSubscription stream = ProtobufMesosClientBuilder.schedulerUsingProtos()
                .mesosUri(URI.create(args[0]))
                .applicationUserAgentEntry(UserAgentEntries.literal("rx-sleeper", "1"))
                .subscribe(SchedulerCalls.subscribe(FRAMEWORK, System.getProperty("user.name"), "rx-sleeper", 10))
                .processStream(events -> events.flatMap(RxSleeper::react))
                .build()
                .openStream();
        stream.await();
        if (FINISHED.size() == wanted + 1) {
            System.out.println("DONE"); // the stream may end before the answer to TEARDOWN is seen
        }
    }

    private static Observable<Optional<SinkOperation<Call>>> react(Event event) {
        List<Optional<SinkOperation<Call>>> calls = new ArrayList<>();
        switch (event.getType()) {
            case OFFERS:
                event.getOffers().getOffersList().forEach(offer -> calls.add(sink(answer(offer))));
                break;
            case UPDATE:
                TaskStatus status = event.getUpdate().getStatus();
                System.out.println(status.getTaskId().getValue() + " " + status.getState());
                if (status.hasUuid()) {
                    calls.add(sink(SchedulerCalls.ackUpdate(
                            FRAMEWORK, status.getUuid(), status.getAgentId(), status.getTaskId())));
                }
                judge(status, calls);
                break;
            case ERROR:
                System.out.println("ERROR " + event.getError().getMessage());
                System.exit(3);
                break;
            default:
                break;
        }
        return calls.isEmpty() ? Observable.just(Optional.empty()) : Observable.from(calls);
    }

    private static Optional<SinkOperation<Call>> sink(Call call) {
        return Optional.of(SinkOperations.create(call));
    }

    private static Call answer(Offer offer) {
        if (launched == wanted + 1) {
            return SchedulerCalls.decline(FRAMEWORK, Collections.singletonList(offer.getId()));
        }
        double cpus = amount(offer, "cpus");
        double mem = amount(offer, "mem");
        Offer.Operation.Launch.Builder launch = Offer.Operation.Launch.newBuilder();
        while (launched <= wanted && cpus >= 0.2 && mem >= 32) {
            boolean last = launched == wanted;
            launch.addTaskInfos(task(offer, last ? "long" : "short-" + launched, last ? "sleep 600" : "echo $MESOS_SANDBOX"));
            launched++;
            cpus -= 0.2;
            mem -= 32;
        }
        return Call.newBuilder()
                .setFrameworkId(FRAMEWORK)
                .setType(Call.Type.ACCEPT)
                .setAccept(Call.Accept.newBuilder()
                        .addOfferIds(offer.getId())
                        .addOperations(Offer.Operation.newBuilder()
                                .setType(Offer.Operation.Type.LAUNCH)
                                .setLaunch(launch)))
                .build();
    }

    private static double amount(Offer offer, String name) {
        return offer.getResourcesList().stream()
                .filter(resource -> resource.getName().equals(name))
                .mapToDouble(resource -> resource.getScalar().getValue())
                .sum();
    }

    private static TaskInfo task(Offer offer, String id, String command) {
        return TaskInfo.newBuilder()
                .setName(id)
                .setTaskId(TaskID.newBuilder().setValue(id))
                .setAgentId(offer.getAgentId())
                .addResources(scalar("cpus", 0.2))
                .addResources(scalar("mem", 32))
                .setCommand(CommandInfo.newBuilder().setValue(command))
                .build();
    }

    private static Resource scalar(String name, double value) {
        return Resource.newBuilder()
                .setName(name)
                .setRole("*")
                .setType(Value.Type.SCALAR)
                .setScalar(Value.Scalar.newBuilder().setValue(value))
                .build();
    }

    private static void judge(TaskStatus status, List<Optional<SinkOperation<Call>>> calls) {
        String id = status.getTaskId().getValue();
        TaskState state = status.getState();
        if (id.equals("long") && state == TaskState.TASK_RUNNING && !killed) {
            killed = true;
            calls.add(sink(Call.newBuilder()
                    .setFrameworkId(FRAMEWORK)
                    .setType(Call.Type.KILL)
                    .setKill(Call.Kill.newBuilder()
                            .setTaskId(status.getTaskId())
                            .setAgentId(status.getAgentId()))
                    .build()));
        } else if (state == (id.equals("long") ? TaskState.TASK_KILLED : TaskState.TASK_FINISHED)) {
            FINISHED.add(id);
        } else if (state != TaskState.TASK_RUNNING && state != TaskState.TASK_STARTING) {
            System.out.println("FAILED " + id + " " + state + " " + status.getMessage());
            System.exit(4);
        }
        if (FINISHED.size() == wanted + 1) {
            calls.add(Optional.of(SinkOperations.create(
                    Call.newBuilder()
                            .setFrameworkId(FRAMEWORK)
                            .setType(Call.Type.TEARDOWN)
                            .build(),
                    () -> {
                        System.out.println("DONE");
                        System.exit(0);
                    })));
        }
    }
}
