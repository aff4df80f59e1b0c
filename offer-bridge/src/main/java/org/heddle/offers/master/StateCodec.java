// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import com.google.protobuf.ByteString;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
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
import org.heddle.offers.master.state.MesosResources;
import org.heddle.offers.model.PortRange;
import org.heddle.offers.model.Ports;
import org.heddle.offers.model.Resources;
import org.heddle.offers.wire.Encoding;

/**
 * What the journal holds of frameworks, applications, hosts and tasks, and back. Offers, filters and asks are not kept: as
 * after a failover of Mesos' master, a framework gets new offers and refuses again what it does not want.
 *
 * <pre>
 * f/framework            FrameworkInfo, suppressed roles
 * a/framework/role       application, its credential, what is asked for
 * h/container            where, how large, secret, whether its agent has been seen, executors
 * t/framework/task       TaskInfo, container, state, updates that are not acknowledged
 * g/framework            torn down
 * </pre>
 */
final class StateCodec {
    private StateCodec() {}

    static String frameworkKey(String id) {
        return "f/" + id;
    }

    static String appKey(ApplicationKey key) {
        return "a/" + key.frameworkId() + "/" + key.role();
    }

    static String hostKey(String containerId) {
        return "h/" + containerId;
    }

    static String taskKey(ClusterState.Task task) {
        return "t/" + task.framework.id + "/" + task.id;
    }

    static String goneKey(String frameworkId) {
        return "g/" + frameworkId;
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

    static byte[] framework(ClusterState.Framework framework) {
        return bytes(out -> {
            FrameCodec.writeBytes(out, framework.info.toByteArray());
            List<ClusterState.Role> roles = List.copyOf(framework.roles.values());
            out.writeInt(roles.size());
            for (ClusterState.Role role : roles) {
                out.writeUTF(role.name);
                out.writeBoolean(role.suppressed);
            }
        });
    }

    static byte[] app(ApplicationRecord app) {
        return bytes(out -> {
            out.writeUTF(app.id());
            FrameCodec.writeBytes(out, app.credential());
            out.writeLong(app.asked().milliCpus());
            out.writeLong(app.asked().memMb());
        });
    }

    static byte[] host(ClusterState.Host host) {
        return bytes(out -> {
            out.writeUTF(host.role.framework.id);
            out.writeUTF(host.role.name);
            out.writeUTF(host.node);
            out.writeUTF(host.hostname);
            out.writeUTF(host.agentId);
            out.writeLong(host.total.milliCpus());
            out.writeLong(host.total.memMb());
            out.writeLong(host.total.diskMb());
            List<PortRange> ranges = host.total.ports().ranges();
            out.writeInt(ranges.size());
            for (PortRange range : ranges) {
                out.writeInt(range.begin());
                out.writeInt(range.end());
            }
            out.writeUTF(host.secret);
            out.writeBoolean(host.seen);
            out.writeInt(host.executors.size());
            for (ClusterState.Executor executor : host.executors.values()) {
                FrameCodec.writeBytes(out, executor.info.toByteArray());
                out.writeBoolean(executor.started);
                Encoding encoding = executor.encoding;
                out.writeUTF(encoding == null ? "" : encoding.name());
            }
        });
    }

    static byte[] task(ClusterState.Task task) {
        return bytes(out -> {
            out.writeUTF(task.host.containerId);
            FrameCodec.writeBytes(out, task.info.toByteArray());
            out.writeInt(task.state.getNumber());
            out.writeLong(task.settled);
            out.writeBoolean(task.killed);
            out.writeUTF(task.speaker.containerId);
            out.writeInt(task.acknowledged.size());
            for (ByteString uuid : task.acknowledged) {
                FrameCodec.writeBytes(out, uuid.toByteArray());
            }
            TaskStatus latest = task.latest;
            FrameCodec.writeBytes(out, latest == null ? new byte[0] : latest.toByteArray());
            out.writeInt(task.pending.size());
            for (ClusterState.Pending pending : task.pending) {
                FrameCodec.writeBytes(out, pending.uuid().toByteArray());
                out.writeLong(pending.seq());
                FrameCodec.writeBytes(out, pending.status().toByteArray());
            }
            out.writeUTF(task.group);
        });
    }

    /** Rebuilds the state; everything that has a connection is without one. */
    static void restore(Map<String, byte[]> live, ClusterState state, long now) throws IOException {
        // Names are ordered: applications before frameworks before hosts before tasks; so read in that order.
        for (String kind : List.of("g/", "f/", "a/", "h/", "t/")) {
            for (Map.Entry<String, byte[]> entry : live.entrySet()) {
                if (entry.getKey().startsWith(kind)) {
                    DataInputStream in = new DataInputStream(new ByteArrayInputStream(entry.getValue()));
                    String name = entry.getKey().substring(2);
                    switch (kind) {
                        case "g/" -> state.gone.add(name);
                        case "f/" -> readFramework(name, in, state, now);
                        case "a/" -> readApp(name, in, state);
                        case "h/" -> readHost(name, in, state, now);
                        default -> readTask(name, in, state);
                    }
                }
            }
        }
    }

    private static void readFramework(String id, DataInputStream in, ClusterState state, long now) throws IOException {
        ClusterState.Framework framework =
                new ClusterState.Framework(id, FrameworkInfo.parseFrom(FrameCodec.readBytes(in)));
        framework.disconnectedAt = now;
        for (int left = in.readInt(); left > 0; left--) {
            ClusterState.Role role = new ClusterState.Role(framework, in.readUTF());
            role.suppressed = in.readBoolean();
            framework.roles.put(role.name, role);
        }
        state.frameworks.put(id, framework);
    }

    private static void readApp(String name, DataInputStream in, ClusterState state) throws IOException {
        for (ClusterState.Framework framework : state.frameworks.values()) {
            if (name.startsWith(framework.id + "/")) {
                ClusterState.Role role = framework.roles.get(name.substring(framework.id.length() + 1));
                if (role != null) {
                    role.app = new ApplicationRecord(
                            in.readUTF(), FrameCodec.readBytes(in), Resources.of(in.readLong(), in.readLong()));
                    return;
                }
            }
        }
    }

    private static void readHost(String containerId, DataInputStream in, ClusterState state, long now)
            throws IOException {
        ClusterState.Framework framework = state.frameworks.get(in.readUTF());
        String roleName = in.readUTF();
        ClusterState.Role role = framework == null ? null : framework.roles.get(roleName);
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
        ClusterState.Host host = new ClusterState.Host(containerId, role, node, hostname, agentId, total);
        host.phase = ClusterState.HostPhase.STARTING;
        host.since = now;
        host.secret = in.readUTF();
        host.seen = in.readBoolean();
        for (int left = in.readInt(); left > 0; left--) {
            ExecutorInfo info = ExecutorInfo.parseFrom(FrameCodec.readBytes(in));
            ClusterState.Executor executor =
                    new ClusterState.Executor(host, info, MesosResources.bundle(info.getResourcesList()));
            executor.started = in.readBoolean();
            String encoding = in.readUTF();
            executor.encoding = encoding.isEmpty() ? null : Encoding.valueOf(encoding);
            host.executors.put(executor.id, executor);
        }
        role.hosts.put(containerId, host);
        state.hosts.put(containerId, host);
    }

    private static void readTask(String name, DataInputStream in, ClusterState state) throws IOException {
        String containerId = in.readUTF();
        TaskInfo info = TaskInfo.parseFrom(FrameCodec.readBytes(in));
        String taskId = info.getTaskId().getValue();
        ClusterState.Framework framework = state.frameworks.get(name.substring(0, name.length() - taskId.length() - 1));
        if (framework == null) {
            return;
        }
        TaskState taskState = TaskState.forNumber(in.readInt());
        ClusterState.Host host = state.hosts.get(containerId);
        if (host == null) {
            // Its container is gone already; only its last update waits for the framework.
            ClusterState.Role role = framework.roles.values().iterator().next();
            host = new ClusterState.Host(
                    containerId, role, "", "", info.getAgentId().getValue(), Resources.NONE);
        }
        long settled = in.readLong();
        boolean killed = in.readBoolean();
        ClusterState.Host speaker = state.hosts.getOrDefault(in.readUTF(), host);
        Set<ByteString> acknowledged = new HashSet<>();
        for (int left = in.readInt(); left > 0; left--) {
            acknowledged.add(ByteString.copyFrom(FrameCodec.readBytes(in)));
        }
        byte[] latest = FrameCodec.readBytes(in);
        List<ClusterState.Pending> pending = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            ByteString uuid = ByteString.copyFrom(FrameCodec.readBytes(in));
            pending.add(new ClusterState.Pending(uuid, in.readLong(), TaskStatus.parseFrom(FrameCodec.readBytes(in))));
        }
        // Records of a bridge that did not know task groups end here.
        String group = in.available() > 0 ? in.readUTF() : "";
        ClusterState.Task task =
                new ClusterState.Task(info, framework, host, MesosResources.bundle(info.getResourcesList()), group);
        task.state = taskState == null ? TaskState.TASK_STAGING : taskState;
        task.settled = settled;
        task.killed = killed;
        task.speaker = speaker;
        task.acknowledged.addAll(acknowledged);
        task.pending.addAll(pending);
        if (latest.length > 0) {
            task.latest = TaskStatus.parseFrom(latest);
        }
        framework.tasks.put(taskId, task);
        host.tasks.put(taskId, task);
    }
}
