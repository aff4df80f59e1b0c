// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.mesos.MesosSchedulerDriver;
import org.apache.mesos.Protos.CommandInfo;
import org.apache.mesos.Protos.ExecutorID;
import org.apache.mesos.Protos.ExecutorInfo;
import org.apache.mesos.Protos.Filters;
import org.apache.mesos.Protos.FrameworkID;
import org.apache.mesos.Protos.FrameworkInfo;
import org.apache.mesos.Protos.MasterInfo;
import org.apache.mesos.Protos.Offer;
import org.apache.mesos.Protos.OfferID;
import org.apache.mesos.Protos.Resource;
import org.apache.mesos.Protos.SlaveID;
import org.apache.mesos.Protos.Status;
import org.apache.mesos.Protos.TaskID;
import org.apache.mesos.Protos.TaskInfo;
import org.apache.mesos.Protos.TaskState;
import org.apache.mesos.Protos.TaskStatus;
import org.apache.mesos.Protos.Value;
import org.apache.mesos.Scheduler;
import org.apache.mesos.SchedulerDriver;
import org.apache.mesos.protobuf.ByteString;

/**
 * A framework on Mesos' old API with shaded protobuf and explicit acknowledgements: runs tasks under Singularity's
 * executor until the directory has a file go, and one more until it is killed. Each notes that it ran in a file of the
 * directory. Arguments: master, directory, number of tasks, command of the executor.
 */
public final class OldApiTasks implements Scheduler {
    private final String directory;
    private final int wanted;
    private final String executor;
    private final Map<String, TaskState> states = new HashMap<>();
    private boolean launched;
    private boolean killing;

    private OldApiTasks(String directory, int wanted, String executor) {
        this.directory = directory;
        this.wanted = wanted;
        this.executor = executor;
    }

    public static void main(String[] args) {
        OldApiTasks scheduler = new OldApiTasks(args[1], Integer.parseInt(args[2]), args[3]);
        FrameworkInfo info = FrameworkInfo.newBuilder()
                .setName("old-api")
                .setUser("")
                .setFailoverTimeout(60)
                .setCheckpoint(true)
                .build();
        MesosSchedulerDriver driver = new MesosSchedulerDriver(scheduler, info, args[0], false);
        Status status = driver.run();
        System.out.println("END " + status + " " + driver.stop() + " " + driver.reviveOffers());
        System.exit(status == Status.DRIVER_STOPPED ? 0 : 1);
    }

    @Override
    public void registered(SchedulerDriver driver, FrameworkID id, MasterInfo master) {
        System.out.println("registered " + id.getValue() + " with " + master.getHostname() + ":" + master.getPort());
    }

    @Override
    public void reregistered(SchedulerDriver driver, MasterInfo master) {
        System.out.println("reregistered");
        driver.reconcileTasks(Collections.<TaskStatus>emptyList());
    }

    @Override
    public void disconnected(SchedulerDriver driver) {
        System.out.println("disconnected");
    }

    @Override
    public void resourceOffers(SchedulerDriver driver, List<Offer> offers) {
        for (Offer offer : offers) {
            if (launched) {
                driver.declineOffer(offer.getId(), Filters.newBuilder().setRefuseSeconds(600).build());
                continue;
            }
            launched = true;
            List<TaskInfo> tasks = new ArrayList<>();
            for (int i = 0; i <= wanted; i++) {
                tasks.add(task(offer, i, i == wanted ? "exec sleep 600" : "while [ ! -e " + directory + "/go ]; do sleep 0.2; done"));
            }
            driver.launchTasks(Collections.singleton(offer.getId()), tasks);
        }
        if (launched) {
            driver.suppressOffers();
        }
    }

    @Override
    public void offerRescinded(SchedulerDriver driver, OfferID offerId) {}

    @Override
    public void statusUpdate(SchedulerDriver driver, TaskStatus status) {
        System.out.println("update " + status.getTaskId().getValue() + " " + status.getState() + " " + status.getMessage());
        driver.acknowledgeStatusUpdate(status);
        if (status.getState() == TaskState.TASK_LOST || status.getState() == TaskState.TASK_FAILED) {
            driver.abort();
        }
        states.put(status.getTaskId().getValue(), status.getState());
        if (Collections.frequency(states.values(), TaskState.TASK_FINISHED) == wanted && !killing) {
            killing = true;
            driver.killTask(TaskID.newBuilder().setValue(id(wanted)).build());
        }
        if (killing && states.get(id(wanted)) == TaskState.TASK_KILLED) {
            System.out.println("DONE");
            driver.stop();
        }
    }

    @Override
    public void frameworkMessage(SchedulerDriver driver, ExecutorID executorId, SlaveID slaveId, byte[] data) {}

    @Override
    public void slaveLost(SchedulerDriver driver, SlaveID slaveId) {}

    @Override
    public void executorLost(SchedulerDriver driver, ExecutorID executorId, SlaveID slaveId, int status) {
        System.out.println("executor lost " + status);
    }

    @Override
    public void error(SchedulerDriver driver, String message) {
        System.out.println("error " + message);
    }

    /** As Singularity names its tasks: request, deploy, start, instance, host, rack. */
    private static String id(int index) {
        return "old-api-1600000000000-" + (index + 1) + "-host-rack";
    }

    private TaskInfo task(Offer offer, int index, String command) {
        String run = "/bin/sh -c 'echo once >> " + directory + "/ran-" + index + "; " + command + "'";
        String data = "{\"cmd\":\"" + run + "\",\"user\":\"" + System.getProperty("user.name")
                + "\",\"defaultS3Bucket\":\"\",\"s3UploaderKeyPattern\":\"\",\"serviceLog\":\"service.log\","
                + "\"serviceFinishedTailLog\":\"tail.log\",\"skipLogrotateAndCompress\":true,\"embeddedArtifacts\":[],"
                + "\"externalArtifacts\":[],\"s3Artifacts\":[],\"extraCmdLineArgs\":[],\"loggingExtraFields\":{},"
                + "\"successfulExitCodes\":[0],\"s3UploaderAdditionalFiles\":[]}";
        return TaskInfo.newBuilder()
                .setName("old-api")
                .setTaskId(TaskID.newBuilder().setValue(id(index)))
                .setSlaveId(offer.getSlaveId())
                .addResources(scalar("cpus", 0.1))
                .addResources(scalar("mem", 32))
                .setData(ByteString.copyFromUtf8(data))
                .setExecutor(ExecutorInfo.newBuilder()
                        .setExecutorId(ExecutorID.newBuilder().setValue("singularity"))
                        .addResources(scalar("cpus", 0.1))
                        .addResources(scalar("mem", 512))
                        .setCommand(CommandInfo.newBuilder().setValue(executor)))
                .build();
    }

    private static Resource scalar(String name, double value) {
        return Resource.newBuilder()
                .setName(name)
                .setType(Value.Type.SCALAR)
                .setScalar(Value.Scalar.newBuilder().setValue(value))
                .build();
    }
}
