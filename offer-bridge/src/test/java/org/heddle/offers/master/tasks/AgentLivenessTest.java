// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.heddle.offers.agent.AgentProtocol;
import org.heddle.offers.agent.FrameCodec;
import org.heddle.offers.fixture.AgentFrames;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.AgentLink;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bridge notices that an agent is connected and carries out nothing, and that one does not come back. */
class AgentLivenessTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    /** A connection whose PINGs the test answers. */
    private static final class Line implements AgentLink {
        private final List<Long> pings = new CopyOnWriteArrayList<>();
        private volatile boolean closed;

        @Override
        public void send(byte[] frame) {
            if (AgentFrames.kind(frame) == AgentProtocol.PING) {
                try (DataInputStream in = AgentFrames.fields(frame)) {
                    pings.add(in.readLong());
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            }
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @TempDir
    private Path directory;

    private TaskFixture fixture;
    private AgentContainer container;
    private final Line line = new Line();

    @BeforeEach
    void connect() throws Exception {
        fixture = new TaskFixture(directory);
        container = fixture.allocated("c1");
        container.setSecret("secret");
        fixture.launched(TaskFixture.command("t1", container, 1000, 512), container);
        fixture.stateExecutor.start();
        fixture.agents.hello(AgentFrames.hello(new Cluster.AgentSpec("c1", "secret")), line);
        changed();
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
    }

    /** Waits until a change and all before it have had their effects. */
    private void changed() throws Exception {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        fixture.stateExecutor.post(change -> change.after(() -> done.complete(true)));
        assertThat(done.get(60, TimeUnit.SECONDS)).isTrue();
    }

    private void pass(long millis) throws Exception {
        fixture.clock.addAndGet(millis);
        changed(); // the thread may have read the time before
        changed();
    }

    private void answer(long number) throws Exception {
        byte[] pong = FrameCodec.frame(AgentProtocol.PONG, out -> {
            out.writeLong(number);
            out.writeLong(7);
            out.writeLong(5);
        });
        fixture.agents.frame(line, Arrays.copyOfRange(pong, Integer.BYTES, pong.length));
        changed();
    }

    @Test
    void anAgentThatAnswersStays() throws Exception {
        for (int i = 1; i <= 20; i++) {
            int expected = i;
            Await.until("the next PING", LONG, () -> line.pings.size() == expected);
            answer(line.pings.get(i - 1));
            pass(AgentProtocol.PING_MILLIS);
        }
        assertThat(fixture.updates()).isEmpty();
        assertThat(line.closed).isFalse();
        assertThat(container.endedSandboxes()).isEqualTo(7);
        assertThat(container.deletedSandboxes()).isEqualTo(5);
    }

    @Test
    void anAgentThatAnswersNothingIsGivenUp() throws Exception {
        for (int i = 1; i <= 5; i++) {
            int expected = i;
            Await.until("the next PING", LONG, () -> line.pings.size() == expected);
            assertThat(fixture.released).isEmpty();
            pass(AgentProtocol.PING_MILLIS);
        }
        Await.until("the end of the container", LONG, () -> line.closed);
        assertThat(fixture.released).containsExactly("c1");
        assertThat(ended().getMessage()).contains("Its agent is connected, but it has not answered for 75 s");
    }

    /** The bridge itself may have been stopped for an hour. */
    @Test
    void timeAloneEndsNothing() throws Exception {
        pass(3_600_000);
        assertThat(new ArrayList<>(fixture.released)).isEmpty();
        assertThat(line.closed).isFalse();
    }

    @Test
    void anAgentThatDoesNotComeBackIsGivenUp() throws Exception {
        fixture.agents.gone(line);
        changed();
        pass(3_600_000);
        Await.until("the end of the container", LONG, () -> fixture.released.contains("c1"));
        assertThat(ended().getMessage()).contains("lost the bridge and did not come back within ");
    }

    private TaskStatus ended() {
        List<TaskStatus> updates = fixture.updates();
        assertThat(updates).extracting(TaskStatus::getState).containsExactly(TaskState.TASK_LOST);
        return updates.get(0);
    }
}
