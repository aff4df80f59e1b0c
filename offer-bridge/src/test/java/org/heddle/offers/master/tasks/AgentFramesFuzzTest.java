// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.mesos.v1.Protos.ExecutorID;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.executor.Protos.Call;
import org.heddle.offers.agent.AgentProtocol;
import org.heddle.offers.agent.FrameCodec;
import org.heddle.offers.fixture.AgentFrames;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.AgentLink;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.FrameworkTask;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.wire.Encoding;
import org.heddle.offers.wire.RandomMessages;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A task can read the secret of its agent, and speak in its place. Random frames of all kinds, whole and damaged. Laws:
 * no change of the state fails, the state is consistent, and tasks of other containers go on. {@code
 * -Dheddle.offers.fuzz=1000000} sends more of them.
 */
class AgentFramesFuzzTest {
    private static final int FRAMES = Integer.getInteger("heddle.offers.fuzz", 10_000);
    private static final int EACH = 200;
    private static final String VICTIM = "victim";
    private static final String EXECUTOR = "e";
    private static final List<String> TYPES =
            List.of("application/json", "application/x-protobuf", "*/*", "text/plain", "");

    /** A connection that keeps the last frame. */
    private static final class Line implements AgentLink {
        private volatile byte[] last = new byte[0];

        @Override
        public void send(byte[] frame) {
            last = frame;
        }

        @Override
        public void close() {}
    }

    private final Random random = new Random(Long.getLong("heddle.offers.fuzz.seed", 1));
    private final Line line = new Line();
    private final Line others = new Line();

    private TaskFixture fixture;
    private AgentContainer container;
    private FrameworkTask victim;
    private int round;

    @BeforeEach
    void connect(@TempDir Path directory) throws Exception {
        fixture = new TaskFixture(directory);
        container = fixture.allocated("c1");
        Framework framework = fixture.framework(VICTIM);
        AgentContainer another = fixture.allocated("c2", fixture.state.addRole(framework, "*"), TaskFixture.NODE);
        victim = fixture.launched(TaskFixture.command(VICTIM, another, 1000, 512), another);
        fixture.stateExecutor.start();
        welcome(container, line);
        welcome(another, others);
        fixture.agents.frame(
                others, AgentFrames.event(1, AgentProtocol.STARTED, victim.key(), out -> out.writeLong(7)));
        change(now -> {});
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
    }

    private void welcome(AgentContainer one, Line from) {
        one.setSecret("secret of " + one.id());
        fixture.agents.hello(AgentFrames.hello(new Cluster.AgentSpec(one.id(), one.secret())), from);
    }

    /** Makes a change and waits for its effects. */
    private void change(Consumer<StateChange> work) throws Exception {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        fixture.stateExecutor.post(change -> {
            try {
                work.accept(change);
                change.after(() -> done.complete(true));
            } catch (AssertionError | RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        assertThat(done.get(60, TimeUnit.SECONDS)).isTrue();
    }

    private String key() {
        List<String> keys = List.of(
                "", "t", "t/", "e/", "e/" + EXECUTOR, "t/" + VICTIM, "t/t" + round, "t/x" + round, "x/\0", "e/\u20ac");
        return keys.get(random.nextInt(keys.size()));
    }

    private String text() {
        return random.nextInt(100) == 0 ? "x".repeat(random.nextInt(1 << 16)) : key();
    }

    private byte[] call() {
        Call.Builder call = Call.newBuilder();
        RandomMessages.fill(call, random, 0);
        if (random.nextInt(5) > 0) {
            String owner = random.nextInt(5) > 0 ? "owner" : VICTIM;
            call.setFrameworkId(FrameworkID.newBuilder().setValue(owner))
                    .setExecutorId(ExecutorID.newBuilder().setValue(EXECUTOR));
        }
        if (random.nextBoolean()) {
            call.getUpdateBuilder()
                    .getStatusBuilder()
                    .setTaskId(TaskID.newBuilder().setValue(key().replaceFirst("^./", "")))
                    .setUuid(ByteString.copyFromUtf8(key()));
        }
        return (random.nextBoolean() ? Encoding.JSON : Encoding.PROTOBUF).encode(call.buildPartial());
    }

    private void fields(byte what, DataOutputStream out) throws IOException {
        switch (what) {
            case AgentProtocol.STARTED -> out.writeLong(random.nextLong());
            case AgentProtocol.EXITED -> {
                out.writeInt(random.nextBoolean() ? random.nextInt(300) : random.nextInt());
                out.writeBoolean(random.nextBoolean());
                out.writeBoolean(random.nextBoolean());
                FrameCodec.writeText(out, text());
                FrameCodec.writeText(out, text());
            }
            case AgentProtocol.NOT_STARTED -> FrameCodec.writeText(out, text());
            case AgentProtocol.PROBED -> {
                out.writeBoolean(random.nextBoolean());
                out.writeBoolean(random.nextBoolean());
                out.writeInt(random.nextInt());
            }
            case AgentProtocol.CALL -> {
                out.writeUTF(TYPES.get(random.nextInt(TYPES.size())));
                out.writeUTF(TYPES.get(random.nextInt(TYPES.size())));
                FrameCodec.writeBytes(out, call());
            }
            default -> {
                byte[] noise = new byte[random.nextInt(100)];
                random.nextBytes(noise);
                out.write(noise);
            }
        }
    }

    private byte[] frame() {
        byte[] frame = switch (random.nextInt(8)) {
            case 0 -> reply(random.nextInt(20), text());
            case 1 ->
                cut(FrameCodec.frame(AgentProtocol.PONG, out -> {
                    out.writeLong(random.nextLong());
                    out.writeLong(random.nextLong());
                    out.writeLong(random.nextLong());
                }));
            case 2 -> cut(FrameCodec.frame((byte) random.nextInt(256), out -> fields((byte) 0, out)));
            default -> {
                byte what = (byte) random.nextInt(8);
                long seq = random.nextInt(10) == 0 ? random.nextLong() : random.nextInt(1_000);
                yield AgentFrames.event(seq, what, key(), out -> fields(what, out));
            }
        };
        if (random.nextInt(3) == 0) {
            frame = Arrays.copyOf(frame, 1 + random.nextInt(frame.length));
            frame[random.nextInt(frame.length)] = (byte) random.nextInt(256);
        }
        return frame;
    }

    /** Without its length, as the master gets it. */
    private static byte[] cut(byte[] frame) {
        return Arrays.copyOfRange(frame, Integer.BYTES, frame.length);
    }

    private static byte[] reply(long request, String body) {
        return cut(FrameCodec.frame(AgentProtocol.REPLY, out -> {
            out.writeLong(request);
            out.writeBoolean(true);
            FrameCodec.writeText(out, body);
        }));
    }

    /** Some end in a round, and are acknowledged. */
    private void nextTasks() {
        fixture.events.clear();
        for (FrameworkTask task : List.copyOf(fixture.framework.tasks().values())) {
            task.pending().clear();
            fixture.state.complete(task);
        }
        round++;
        fixture.launched(TaskFixture.command("t" + round, container, 1000, 512), container);
        fixture.launched(TaskFixture.custom("x" + round, container, EXECUTOR), container);
    }

    @Test
    void noFrameFailsNorReachesAnotherContainer() throws Exception {
        for (int sent = 0; sent < FRAMES; sent += EACH) {
            change(now -> nextTasks());
            for (int i = 0; i < EACH; i++) {
                fixture.agents.frame(line, frame());
            }
            change(now -> {
                fixture.state.assertConsistent();
                assertThat(victim.state()).isEqualTo(TaskState.TASK_RUNNING);
                assertThat(fixture.framework.tasks().values())
                        .allMatch(task -> task.output().length() <= 4_096);
            });
            assertThat(fixture.stateExecutor.errors())
                    .as("changes that failed, after %d frames", sent + EACH)
                    .isZero();
        }
    }

    /** Requests have numbers that can be guessed, and a stranger can send frames behind his first one. */
    @Test
    void onlyTheAgentThatWasAskedAnswers() throws Exception {
        CompletableFuture<byte[]> answer = fixture.agents.ask(victim.container(), AgentProtocol.READ, out -> {});
        long request;
        try (DataInputStream in = AgentFrames.fields(others.last)) {
            request = in.readLong();
        }
        fixture.agents.frame(line, reply(request, "forged"));
        fixture.agents.frame(new Line(), reply(request, "forged"));
        assertThat(answer).isNotDone();
        fixture.agents.frame(others, reply(request, "told"));
        assertThat(answer.getNow(new byte[0])).asString(StandardCharsets.UTF_8).isEqualTo("told");
    }
}
