// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.AMRMClient;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * An application of Hadoop's public API alone, whose ApplicationMaster runs in a container and so behind the AMRMProxy:
 * {@code submit QUEUE COUNT MB VCORES HOLD_MS}. It asks for so many containers, keeps each for the time given without
 * starting anything in it, gives it back and asks for another one, until it is killed.
 */
public final class Turnover {
    private record Held(Container container, long untilMillis) {}

    private final int count;
    private final Resource size;
    private final long holdMillis;
    private final Deque<Held> held = new ArrayDeque<>();
    private final Deque<ContainerRequest> asked = new ArrayDeque<>();

    private Turnover(String... arguments) {
        count = Integer.parseInt(arguments[2]);
        size = Resource.newInstance(Long.parseLong(arguments[3]), Integer.parseInt(arguments[4]));
        holdMillis = Long.parseLong(arguments[5]);
    }

    public static void main(String[] arguments) throws Exception {
        Turnover turnover = new Turnover(arguments);
        if (arguments[0].equals("submit")) {
            turnover.submit(arguments);
        } else {
            turnover.run();
        }
    }

    private void submit(String... arguments) throws Exception {
        YarnClient client = YarnClient.createYarnClient();
        client.init(new YarnConfiguration());
        client.start();
        ApplicationSubmissionContext application =
                client.createApplication().getApplicationSubmissionContext();
        application.setApplicationName("turnover");
        application.setQueue(arguments[1]);
        application.setPriority(Priority.newInstance(0));
        application.setResource(Resource.newInstance(128, 1));
        arguments[0] = "master";
        String command = System.getProperty("java.home") + "/bin/java -Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1"
                + " --add-opens=java.base/java.lang=ALL-UNNAMED Turnover " + String.join(" ", arguments)
                + " 1><LOG_DIR>/stdout 2><LOG_DIR>/stderr";
        application.setAMContainerSpec(ContainerLaunchContext.newInstance(
                Map.of(), Map.of("CLASSPATH", System.getProperty("java.class.path")), List.of(command), Map.of(), null, Map.of()));
        client.submitApplication(application);
        System.out.println("submitted " + application.getApplicationId());
    }

    private void run() throws Exception {
        AMRMClient<ContainerRequest> master = AMRMClient.createAMRMClient();
        master.init(new YarnConfiguration());
        master.start();
        master.registerApplicationMaster("", 0, "");
        while (true) {
            while (asked.size() + held.size() < count) {
                ContainerRequest request = new ContainerRequest(size, null, null, Priority.newInstance(1));
                asked.add(request);
                master.addContainerRequest(request);
            }
            AllocateResponse answer = master.allocate(0.1f);
            long now = System.currentTimeMillis();
            for (Container container : answer.getAllocatedContainers()) {
                if (asked.isEmpty()) {
                    master.releaseAssignedContainer(container.getId());
                } else {
                    master.removeContainerRequest(asked.remove());
                    held.add(new Held(container, now + holdMillis));
                }
            }
            answer.getCompletedContainersStatuses()
                    .forEach(ended -> held.removeIf(one -> one.container().getId().equals(ended.getContainerId())));
            while (!held.isEmpty() && held.peek().untilMillis() <= now) {
                master.releaseAssignedContainer(held.remove().container().getId());
            }
            Thread.sleep(500);
        }
    }
}
