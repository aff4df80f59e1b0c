// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import com.google.protobuf.ByteString;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.mesos.v1.Protos.ExecutorInfo;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.heddle.offers.agent.FrameCodec;
import org.heddle.offers.master.cluster.ApplicationKey;
import org.heddle.offers.master.cluster.ApplicationRecord;
import org.heddle.offers.model.PortRange;
import org.heddle.offers.model.Ports;
import org.heddle.offers.model.Resources;
import org.heddle.offers.wire.Encoding;

/**
 * The journal's records of frameworks, applications, containers and tasks. Offers, filters and asks are not recorded:
 * as after a failover of Mesos' master, a framework gets new offers, and refuses again what it does not want.
 *
 * <pre>
 * f/framework            FrameworkInfo, suppressed roles
 * a/framework/role       application, its credential, what is asked for
 * h/container            where, how large, secret, whether its agent has been seen, executors
 * t/framework/task       TaskInfo, container, state, updates that are not acknowledged
 * g/framework            torn down
 * </pre>
 */
public final class StateCodec {
    private static final int STARTED = 1;
    private static final int SHUTDOWN = 2;

    private StateCodec() {}

    public static String frameworkKey(String id) {
        return "f/" + id;
    }

    public static String applicationKey(ApplicationKey key) {
        return "a/" + key.frameworkId() + "/" + key.role();
    }

    public static String containerKey(String containerId) {
        return "h/" + containerId;
    }

    public static String taskKey(FrameworkTask task) {
        return "t/" + task.framework().id() + "/" + task.id();
    }

    public static String removedKey(String frameworkId) {
        return "g/" + frameworkId;
    }

    /** @param date of the removal, milliseconds since 1970 */
    public static byte[] removed(long date) {
        return bytes(out -> out.writeLong(date));
    }

    private static byte[] bytes(FrameCodec.Fields fields) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        try {
            fields.write(new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new IllegalStateException("cannot write a record to memory", e);
        }
        return bytes.toByteArray();
    }

    public static byte[] framework(Framework framework) {
        return bytes(out -> {
            FrameCodec.writeBytes(out, framework.info().toByteArray());
            List<FrameworkRole> roles = List.copyOf(framework.roles().values());
            out.writeInt(roles.size());
            for (FrameworkRole role : roles) {
                out.writeUTF(role.name());
                out.writeBoolean(role.isSuppressed());
            }
        });
    }

    public static byte[] application(ApplicationRecord app) {
        return bytes(out -> {
            out.writeUTF(app.id());
            FrameCodec.writeBytes(out, app.credential());
            out.writeLong(app.asked().milliCpus());
            out.writeLong(app.asked().memMb());
            writeGpus(out, app.asked());
        });
    }

    public static byte[] container(AgentContainer container) {
        return bytes(out -> {
            out.writeUTF(container.role().framework().id());
            out.writeUTF(container.role().name());
            out.writeUTF(container.node());
            out.writeUTF(container.hostname());
            out.writeUTF(container.agentId());
            out.writeLong(container.total().milliCpus());
            out.writeLong(container.total().memMb());
            out.writeLong(container.total().diskMb());
            List<PortRange> ranges = container.total().ports().ranges();
            out.writeInt(ranges.size());
            for (PortRange range : ranges) {
                out.writeInt(range.begin());
                out.writeInt(range.end());
            }
            out.writeUTF(container.secret());
            out.writeBoolean(container.isSeen());
            out.writeInt(container.executors().size());
            for (FrameworkExecutor executor : container.executors().values()) {
                FrameCodec.writeBytes(out, executor.info().toByteArray());
                out.writeByte((executor.isStarted() ? STARTED : 0) | (executor.isShutdown() ? SHUTDOWN : 0));
                Encoding encoding = executor.encoding();
                out.writeUTF(encoding == null ? "" : encoding.name());
            }
            writeGpus(out, container.total());
        });
    }

    public static byte[] task(FrameworkTask task) {
        return bytes(out -> {
            out.writeUTF(task.container().id());
            FrameCodec.writeBytes(out, task.info().toByteArray());
            out.writeInt(task.state().getNumber());
            out.writeLong(task.settled());
            out.writeBoolean(task.isKilled());
            out.writeUTF(task.reporter().id());
            out.writeInt(task.acknowledged().size());
            for (ByteString uuid : task.acknowledged()) {
                FrameCodec.writeBytes(out, uuid.toByteArray());
            }
            TaskStatus latest = task.latest();
            FrameCodec.writeBytes(out, latest == null ? new byte[0] : latest.toByteArray());
            out.writeInt(task.pending().size());
            for (PendingUpdate pending : task.pending()) {
                FrameCodec.writeBytes(out, pending.uuid().toByteArray());
                out.writeLong(pending.seq());
                FrameCodec.writeBytes(out, pending.status().toByteArray());
            }
            out.writeUTF(task.group());
        });
    }

    /** Fills the state from the journal's records. No framework and no agent is connected afterwards. */
    public static void restore(Map<String, byte[]> live, ClusterState state, long now) throws IOException {
        restoreRemoved(live, state);
        // Records refer to records of the kinds before their own.
        for (String kind : List.of("f/", "a/", "h/", "t/")) {
            for (Map.Entry<String, byte[]> entry : live.entrySet()) {
                if (entry.getKey().startsWith(kind)) {
                    DataInputStream in = new DataInputStream(new ByteArrayInputStream(entry.getValue()));
                    String name = entry.getKey().substring(2);
                    switch (kind) {
                        case "f/" -> readFramework(name, in, state, now);
                        case "a/" -> readApplication(name, in, state);
                        case "h/" -> readContainer(name, in, state, now);
                        default -> readTask(name, in, state);
                    }
                }
            }
        }
    }

    /** The oldest first, which is forgotten first. */
    private static void restoreRemoved(Map<String, byte[]> live, ClusterState state) {
        live.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("g/"))
                .sorted(Comparator.comparingLong(
                        entry -> ByteBuffer.wrap(entry.getValue()).getLong()))
                .forEach(entry -> state.addRemoved(entry.getKey().substring(2)));
    }

    private static void readFramework(String id, DataInputStream in, ClusterState state, long now) throws IOException {
        Framework framework = new Framework(id, FrameworkInfo.parseFrom(FrameCodec.readBytes(in)));
        framework.setDisconnectedAt(now);
        for (int left = in.readInt(); left > 0; left--) {
            state.addRole(framework, in.readUTF()).setSuppressed(in.readBoolean());
        }
        state.add(framework);
    }

    private static void readApplication(String name, DataInputStream in, ClusterState state) throws IOException {
        for (Framework framework : state.frameworks().values()) {
            if (name.startsWith(framework.id() + "/")) {
                FrameworkRole role =
                        framework.roles().get(name.substring(framework.id().length() + 1));
                if (role != null) {
                    role.setApplication(new ApplicationRecord(
                            in.readUTF(),
                            FrameCodec.readBytes(in),
                            Resources.of(in.readLong(), in.readLong()).withGpus(gpus(in))));
                    return;
                }
            }
        }
    }

    private static void readContainer(String containerId, DataInputStream in, ClusterState state, long now)
            throws IOException {
        Framework framework = state.frameworks().get(in.readUTF());
        String roleName = in.readUTF();
        FrameworkRole role = framework == null ? null : framework.roles().get(roleName);
        if (role == null) {
            return;
        }
        String node = in.readUTF();
        String hostname = in.readUTF();
        String agentId = in.readUTF();
        long milliCpus = in.readLong();
        long memMb = in.readLong();
        long diskMb = in.readLong();
        List<PortRange> ranges = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            ranges.add(new PortRange(in.readInt(), in.readInt()));
        }
        Resources total = new Resources(milliCpus, memMb, diskMb, new Ports(ranges));
        AgentContainer container = new AgentContainer(containerId, role, node, hostname, agentId, total, now);
        container.setPhase(ContainerPhase.STARTING);
        container.setSecret(in.readUTF());
        container.setSeen(in.readBoolean());
        for (int left = in.readInt(); left > 0; left--) {
            ExecutorInfo info = ExecutorInfo.parseFrom(FrameCodec.readBytes(in));
            FrameworkExecutor executor =
                    new FrameworkExecutor(container, info, MesosResources.toResources(info.getResourcesList()));
            int flags = in.readByte();
            executor.setStarted((flags & STARTED) != 0);
            executor.setShutdown((flags & SHUTDOWN) != 0);
            String encoding = in.readUTF();
            executor.setEncoding(encoding.isEmpty() ? null : Encoding.valueOf(encoding));
            state.add(executor);
        }
        container.setTotal(total.withGpus(gpus(in)));
        state.add(container);
    }

    /**
     * At the end of a record, if there are any: records without GPUs have the form that they had before GPUs were
     * offered.
     */
    private static void writeGpus(DataOutputStream out, Resources resources) throws IOException {
        if (resources.gpus() > 0) {
            out.writeLong(resources.gpus());
        }
    }

    private static long gpus(DataInputStream in) throws IOException {
        return in.available() > 0 ? in.readLong() : 0;
    }

    private static void readTask(String name, DataInputStream in, ClusterState state) throws IOException {
        String containerId = in.readUTF();
        TaskInfo info = TaskInfo.parseFrom(FrameCodec.readBytes(in));
        String taskId = info.getTaskId().getValue();
        Framework framework = state.frameworks().get(name.substring(0, name.length() - taskId.length() - 1));
        if (framework == null) {
            return;
        }
        TaskState taskState = TaskState.forNumber(in.readInt());
        AgentContainer container = state.containers().get(containerId);
        if (container == null) {
            // Its container has ended; the framework has not acknowledged its last update.
            FrameworkRole role = framework.roles().values().iterator().next();
            container = new AgentContainer(
                    containerId, role, "", "", info.getAgentId().getValue(), Resources.NONE, 0);
        }
        long settled = in.readLong();
        boolean killed = in.readBoolean();
        AgentContainer reporter = state.containers().getOrDefault(in.readUTF(), container);
        Set<ByteString> acknowledged = new HashSet<>();
        for (int left = in.readInt(); left > 0; left--) {
            acknowledged.add(ByteString.copyFrom(FrameCodec.readBytes(in)));
        }
        byte[] latest = FrameCodec.readBytes(in);
        List<PendingUpdate> pending = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            ByteString uuid = ByteString.copyFrom(FrameCodec.readBytes(in));
            pending.add(new PendingUpdate(uuid, in.readLong(), TaskStatus.parseFrom(FrameCodec.readBytes(in))));
        }
        // Records of a bridge without task groups end here.
        String group = in.available() > 0 ? in.readUTF() : "";
        FrameworkTask task = new FrameworkTask(
                info, framework, container, MesosResources.toResources(info.getResourcesList()), group);
        task.restore(
                taskState == null ? TaskState.TASK_STAGING : taskState,
                latest.length == 0 ? null : TaskStatus.parseFrom(latest));
        task.setSettled(settled);
        task.setKilled(killed);
        task.setReporter(reporter);
        task.acknowledged().addAll(acknowledged);
        task.pending().addAll(pending);
        state.add(task);
    }
}
