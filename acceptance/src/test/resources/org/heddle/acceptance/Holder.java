// SPDX-License-Identifier: Apache-2.0
import java.nio.ByteBuffer;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.api.records.UpdatedContainer;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.AMRMClient;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.NMClient;
import org.apache.hadoop.yarn.client.api.NMTokenCache;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * A client of Hadoop's public API alone: for every argument USER:QUEUE:COUNT:MB:VCORES[:MORE_MB] an application whose
 * ApplicationMaster is unmanaged (this process), which asks for containers and keeps them until the process ends. The
 * next one begins when the one before was accepted, and for the first when it has all that it asked for. With MORE_MB
 * the first container runs a command and is then made so large.
 */
public final class Holder {
    private final String user;
    private final String queue;
    private final int count;
    private final Resource size;
    private final int moreMb;
    private final YarnConfiguration conf = new YarnConfiguration();
    private final List<Container> held = new ArrayList<>();
    private AMRMClient<ContainerRequest> master;
    private NMClient nodes;
    private boolean asked;

    private Holder(String argument) {
        String[] parts = argument.split(":");
        user = parts[0];
        queue = parts[1];
        count = Integer.parseInt(parts[2]);
        size = Resource.newInstance(Long.parseLong(parts[3]), Integer.parseInt(parts[4]));
        moreMb = parts.length > 5 ? Integer.parseInt(parts[5]) : 0;
    }

    public static void main(String[] arguments) throws Exception {
        boolean first = true;
        for (String argument : arguments) {
            Holder holder = new Holder(argument);
            UserGroupInformation.createRemoteUser(holder.user).doAs((PrivilegedExceptionAction<Void>) () -> {
                holder.register();
                return null;
            });
            while (first && holder.held.size() < holder.count) {
                Thread.sleep(100);
            }
            first = false;
        }
    }

    private void register() throws Exception {
        YarnClient client = YarnClient.createYarnClient();
        client.init(conf);
        client.start();
        ApplicationSubmissionContext application =
                client.createApplication().getApplicationSubmissionContext();
        ApplicationId id = application.getApplicationId();
        application.setApplicationName("holder");
        application.setQueue(queue);
        application.setUnmanagedAM(true);
        application.setPriority(Priority.newInstance(0));
        application.setResource(Resource.newInstance(128, 1));
        application.setAMContainerSpec(ContainerLaunchContext.newInstance(Map.of(), Map.of(), List.of(), Map.of(), null, Map.of()));
        client.submitApplication(application);
        Token<?> token = client.getAMRMToken(id);
        while (token == null) {
            if (EnumSet.of(YarnApplicationState.FAILED, YarnApplicationState.KILLED)
                    .contains(client.getApplicationReport(id).getYarnApplicationState())) {
                throw new IllegalStateException(client.getApplicationReport(id).getDiagnostics());
            }
            Thread.sleep(100);
            token = client.getAMRMToken(id);
        }
        UserGroupInformation self = UserGroupInformation.getCurrentUser();
        self.addToken(token);
        NMTokenCache tokens = new NMTokenCache();
        master = AMRMClient.createAMRMClient();
        master.setNMTokenCache(tokens);
        master.init(conf);
        master.start();
        master.registerApplicationMaster("", 0, "");
        nodes = NMClient.createNMClient();
        nodes.setNMTokenCache(tokens);
        nodes.init(conf);
        nodes.start();
        System.out.println("application " + user + " " + id);
        for (int i = 0; i < count; i++) {
            master.addContainerRequest(new ContainerRequest(size, null, null, Priority.newInstance(1)));
        }
        Thread heart = new Thread(() -> {
            try {
                while (true) {
                    self.doAs((PrivilegedExceptionAction<Void>) () -> {
                        beat();
                        return null;
                    });
                    Thread.sleep(200);
                }
            } catch (Exception e) {
                System.out.println("ended " + user + " " + e);
            }
        });
        heart.start();
    }

    private void beat() throws Exception {
        AllocateResponse answer = master.allocate(0.1f);
        for (Container container : answer.getAllocatedContainers()) {
            if (moreMb > 0 && held.isEmpty()) {
                nodes.startContainer(container, ContainerLaunchContext.newInstance(
                        Map.of(), Map.of(), List.of("sleep 600"), Map.<String, ByteBuffer>of(), null, Map.of()));
            }
            held.add(container);
            System.out.println("got " + user + " " + container.getId() + " " + container.getNodeId());
        }
        for (UpdatedContainer updated : answer.getUpdatedContainers()) {
            Container now = updated.getContainer();
            nodes.updateContainerResource(now);
            System.out.println("resized " + user + " " + now.getId() + " " + now.getResource().getMemorySize());
        }
        if (moreMb > 0 && held.size() == count && !asked) {
            asked = nodes.getContainerStatus(held.get(0).getId(), held.get(0).getNodeId()).getState().toString().equals("RUNNING");
            if (asked) {
                Container one = held.get(0);
                master.requestContainerUpdate(one, UpdateContainerRequest.newInstance(one.getVersion(), one.getId(),
                        ContainerUpdateType.INCREASE_RESOURCE, Resource.newInstance(moreMb, one.getResource().getVirtualCores()), null));
            }
        }
    }
}
