// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.mesos.v1.Protos.TaskState;
import org.heddle.offers.master.cluster.ApplicationRecord;
import org.heddle.offers.model.Resources;
import org.heddle.offers.wire.Encoding;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads records as the bridge wrote them on 22 November 2026, and writes the same bytes again. */
class StateCodecTest {
    private static final String NODE = "n1:1";

    private final Map<String, byte[]> live = new LinkedHashMap<>();
    private final ClusterState state = new ClusterState();

    private static Map<String, String> records() {
        Map<String, String> records = new LinkedHashMap<>();
        records.put("g/fw-0", "AAAAAAAAB9A=");
        records.put("g/fw-9", "AAAAAAAAA+g=");
        records.put("f/fw-1", "AAAAGgoBdRIBbhoGCgRmdy0xUgIIBmICcjFiAnIyAAAAAgACcjEAAAJyMgE=");
        records.put("a/fw-1/r1", "ABJhcHBsaWNhdGlvbl8xXzAwMDEAAAADAQIDAAAAAAAAB9AAAAAAAAAIQA==");
        records.put(
                "h/container_1",
                "AARmdy0xAAJyMQAEbjE6MQACbjEAEG5vZGUtMzJiZmZhLW4xLTEAAAAAAAAPoAAAAAAAABAAAAAAAAAAAGQAAAAB"
                        + "AAB5GAAAeRwABnMzY3JldAEAAAABAAAAKgoECgJleCoTCgRjcHVzEAAaCQkAAAAAAADgPzoFGgNydW5CBgoEZnct"
                        + "MQEABEpTT04=");
        records.put(
                "t/fw-1/task-1",
                "AAtjb250YWluZXJfMQAAAGIKAXQSCAoGdGFzay0xGhIKEG5vZGUtMzJiZmZhLW4xLTEiEwoEY3B1cxAAGgkJAAAA"
                        + "AAAA8D8qKgoECgJleCoTCgRjcHVzEAAaCQkAAAAAAADgPzoFGgNydW5CBgoEZnctMQAAAAEAAAAAAAAABAEAC2Nv"
                        + "bnRhaW5lcl8xAAAAAQAAABBmZWRjYmE5ODc2NTQzMjEwAAAAHgoICgZ0YXNrLTEQAVoQMDEyMzQ1Njc4OWFiY2Rl"
                        + "ZgAAAAEAAAAQMDEyMzQ1Njc4OWFiY2RlZgAAAAAAAAAFAAAAHgoICgZ0YXNrLTEQAVoQMDEyMzQ1Njc4OWFiY2Rl"
                        + "ZgAFTzEtRzA=");
        records.put(
                "t/fw-1/lost",
                "AAtjb250YWluZXJfMAAAADwKAWMSBgoEbG9zdBoSChBub2RlLTMyYmZmYS1uMS0xIhMKBGNwdXMQABoJCQAAAAAA"
                        + "APA/OgYaBHRydWUAAAAFAAAAAAAAAAAAAAtjb250YWluZXJfMAAAAAAAAAAcCgYKBGxvc3QQBVoQMDEyMzQ1Njc4"
                        + "OWFiY2RlZwAAAAEAAAAQMDEyMzQ1Njc4OWFiY2RlZwAAAAAAAAAAAAAAHAoGCgRsb3N0EAVaEDAxMjM0NTY3ODlh"
                        + "YmNkZWcAAA==");
        return records;
    }

    @BeforeEach
    void restore() throws IOException {
        records().forEach((name, record) -> live.put(name, Base64.getDecoder().decode(record)));
        StateCodec.restore(live, state, 5_000);
        state.assertConsistent();
    }

    private Framework framework() {
        return Objects.requireNonNull(state.framework("fw-1"));
    }

    private FrameworkTask task(String id) {
        return Objects.requireNonNull(framework().tasks().get(id));
    }

    private AgentContainer container() {
        return Objects.requireNonNull(state.container("container_1"));
    }

    private FrameworkRole role() {
        return Objects.requireNonNull(framework().roles().get("r1"));
    }

    private ApplicationRecord application() {
        return Objects.requireNonNull(role().application());
    }

    @Test
    void frameworksComeBackDisconnected() {
        assertThat(state.isRemoved("fw-0")).isTrue();
        assertThat(framework().isConnected()).isFalse();
        assertThat(framework().disconnectedAt()).isEqualTo(5_000);
        assertThat(framework().roles().keySet()).containsExactly("r1", "r2");
        assertThat(framework().roles().values())
                .extracting(FrameworkRole::isSuppressed)
                .containsExactly(false, true);
        assertThat(application().id()).isEqualTo("application_1_0001");
        assertThat(application().asked()).isEqualTo(Resources.of(2000, 2112));
    }

    @Test
    void anExecutorThatIsShutDownStaysSo() throws IOException {
        FrameworkExecutor executor =
                Objects.requireNonNull(container().executors().get("ex"));
        assertThat(executor.isShutdown()).isFalse();
        executor.setShutdown(true);
        live.put("h/container_1", StateCodec.container(container()));
        ClusterState next = new ClusterState();
        StateCodec.restore(live, next, 5_000);
        FrameworkExecutor restored = Objects.requireNonNull(Objects.requireNonNull(next.container("container_1"))
                .executors()
                .get("ex"));
        assertThat(restored.isShutdown()).isTrue();
        assertThat(restored.isStarted()).isTrue();
    }

    @Test
    void containersComeBackWithTheirExecutorsAndWaitForTheirAgents() {
        AgentContainer container = container();
        assertThat(container.phase()).isEqualTo(ContainerPhase.STARTING);
        assertThat(container.agentId()).isEqualTo(ClusterState.agentId(NODE));
        assertThat(container.total().memMb()).isEqualTo(4096);
        assertThat(container.total().ports().isEmpty()).isFalse();
        assertThat(container.secret()).isEqualTo("s3cret");
        assertThat(container.isSeen()).isTrue();
        FrameworkExecutor executor =
                Objects.requireNonNull(container.executors().get("ex"));
        assertThat(executor.isStarted()).isTrue();
        assertThat(executor.encoding()).isEqualTo(Encoding.JSON);
        assertThat(executor.resources()).isEqualTo(Resources.of(500, 0));
    }

    @Test
    void tasksComeBackWithTheirPendingUpdates() {
        FrameworkTask task = task("task-1");
        assertThat(task.state()).isEqualTo(TaskState.TASK_RUNNING);
        assertThat(task.isKilled()).isTrue();
        assertThat(task.settled()).isEqualTo(4);
        assertThat(task.group()).isEqualTo("O1-G0");
        assertThat(task.acknowledged()).hasSize(1);
        assertThat(task.pending()).extracting(PendingUpdate::seq).containsExactly(5L);
        FrameworkTask lost = task("lost");
        assertThat(lost.ended()).isTrue();
        assertThat(lost.container().id()).as("which has ended").isEqualTo("container_0");
        assertThat(state.container("container_0")).isNull();
    }

    @Test
    void theFormatIsTheSame() {
        assertThat(StateCodec.framework(framework())).isEqualTo(live.get(StateCodec.frameworkKey("fw-1")));
        assertThat(StateCodec.application(application())).isEqualTo(live.get(StateCodec.applicationKey(role().key())));
        assertThat(StateCodec.container(container())).isEqualTo(live.get(StateCodec.containerKey("container_1")));
        for (String id : new String[] {"task-1", "lost"}) {
            assertThat(StateCodec.task(task(id))).isEqualTo(live.get(StateCodec.taskKey(task(id))));
        }
        assertThat(StateCodec.removed(2_000)).isEqualTo(live.get(StateCodec.removedKey("fw-0")));
    }

    @Test
    void theIdsOfRemovedFrameworksComeBackOldestFirst() {
        String forgotten = null;
        for (int i = 0; forgotten == null; i++) {
            forgotten = state.addRemoved("later-" + i);
        }
        assertThat(forgotten).isEqualTo("fw-9");
        assertThat(state.isRemoved("fw-0")).isTrue();
    }

    /** Before task groups, a task's record was shorter by its last field: the group's name. */
    @Test
    void recordsWithoutAGroupCanBeRead() throws IOException {
        byte[] record = Objects.requireNonNull(live.get("t/fw-1/lost"));
        byte[] shorter = java.util.Arrays.copyOf(record, record.length - 2);
        live.put("t/fw-1/lost", shorter);
        ClusterState again = new ClusterState();
        StateCodec.restore(live, again, 5_000);
        assertThat(Objects.requireNonNull(again.framework("fw-1")).tasks()).containsKey("lost");
    }
}
