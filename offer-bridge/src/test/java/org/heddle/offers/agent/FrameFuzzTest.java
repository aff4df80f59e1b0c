// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random frames of all kinds, whole and damaged, for an agent's process. Laws: it answers afterwards, and the task that
 * ran before runs still, until a KILL ends it. {@code -Dheddle.offers.fuzz=1000000} sends more of them.
 */
class FrameFuzzTest {
    private static final int FRAMES = Integer.getInteger("heddle.offers.fuzz", 10_000);
    private static final int EACH = 500;
    private static final String TASK = "t/kept";
    private static final List<String> PATHS = List.of(
            "",
            ".",
            "..",
            "/",
            "t",
            "t/kept",
            "t/kept/stdout",
            "\0",
            "t/k\0",
            "../../etc/passwd",
            "t/kept/\ud800",
            "\u20ac");

    private final Random random = new Random(Long.getLong("heddle.offers.fuzz.seed", 1));

    private String path() {
        return PATHS.get(random.nextInt(PATHS.size()));
    }

    /** Programs that do not exist, because a damaged command line could be any. */
    private LaunchSpec launch() {
        String key = "t/" + random.nextInt(100);
        return new LaunchSpec(
                key,
                random.nextBoolean() ? key : path(),
                random.nextInt(10) == 0,
                "",
                List.of("/nonexistent/program", path()),
                Map.of("A", path()),
                random.nextInt(5) > 0
                        ? List.of()
                        : List.of(new LaunchSpec.Uri("file:/nonexistent/" + path(), true, true, path())),
                random.nextLong(),
                random.nextLong(),
                random.nextLong(),
                random.nextBoolean()
                        ? List.of()
                        : List.of(new Probe(true, List.of("/nonexistent/check"), 1, path(), 1, 1, 1, 1, 1)));
    }

    private byte[] frame() {
        return switch (random.nextInt(9)) {
            case 0 -> FrameCodec.frame(AgentProtocol.SETTLE, out -> out.writeLong(random.nextInt(1000)));
            case 1 -> FrameCodec.launch(launch());
            case 2 ->
                FrameCodec.frame(AgentProtocol.KILL, out -> {
                    out.writeUTF("t/" + random.nextInt(100));
                    out.writeLong(random.nextInt(1000) - 10);
                });
            case 3 ->
                FrameCodec.frame(AgentProtocol.HTTP_REPLY, out -> {
                    out.writeLong(random.nextInt(100));
                    out.writeUTF("t/" + random.nextInt(100));
                    out.writeInt(random.nextInt());
                    out.writeUTF("text/plain");
                    out.writeBoolean(random.nextBoolean());
                    FrameCodec.writeBytes(out, new byte[random.nextInt(100)]);
                });
            case 4 ->
                FrameCodec.frame(AgentProtocol.STREAM, out -> {
                    out.writeUTF(random.nextBoolean() ? TASK : "e/1");
                    FrameCodec.writeText(out, path());
                    FrameCodec.writeBytes(out, new byte[random.nextInt(100)]);
                });
            case 5 ->
                FrameCodec.frame(AgentProtocol.READ, out -> {
                    out.writeLong(random.nextLong());
                    FrameCodec.writeText(out, path());
                    out.writeLong(random.nextBoolean() ? random.nextInt(100) : random.nextLong());
                    out.writeLong(random.nextBoolean() ? random.nextInt(100) : random.nextLong());
                });
            case 6 ->
                FrameCodec.frame(AgentProtocol.LIST, out -> {
                    out.writeLong(random.nextLong());
                    FrameCodec.writeText(out, path());
                });
            case 7 -> FrameCodec.frame(AgentProtocol.PING, out -> out.writeLong(-1 - random.nextInt(100)));
            default ->
                FrameCodec.frame((byte) random.nextInt(256), out -> {
                    byte[] noise = new byte[random.nextInt(300)];
                    random.nextBytes(noise);
                    out.write(noise);
                });
        };
    }

    /**
     * Bytes of the fields are changed or cut off. The length is that of the frame: it is how the connection is read.
     */
    private byte[] damaged(byte[] frame) {
        int head = Integer.BYTES + 1;
        byte[] fields = Arrays.copyOfRange(frame, head, head + random.nextInt(frame.length - head + 1));
        for (int left = random.nextInt(4); left > 0 && fields.length > 0; left--) {
            fields[random.nextInt(fields.length)] = (byte) random.nextInt(256);
        }
        return FrameCodec.frame(frame[Integer.BYTES], out -> out.write(fields));
    }

    private List<byte[]> frames(int count) {
        List<byte[]> frames = new ArrayList<>();
        while (frames.size() < count) {
            byte[] frame = frame();
            byte[] sent = random.nextInt(3) == 0 ? damaged(frame) : frame;
            if (sent[Integer.BYTES] != AgentProtocol.QUIT && !isAbout(TASK, sent)) {
                frames.add(sent);
            }
        }
        return frames;
    }

    private static boolean isAbout(String key, byte[] frame) {
        return frame[Integer.BYTES] == AgentProtocol.KILL
                && new String(frame, StandardCharsets.ISO_8859_1).contains(key);
    }

    @Test
    void noFrameEndsTheAgentOrATask(@TempDir Path directory) throws Exception {
        try (ConnectedAgent agent = new ConnectedAgent(directory, Map.of("LC_ALL", "C.UTF-8"))) {
            agent.send(FrameCodec.launch(new LaunchSpec(
                    TASK, TASK, false, "", List.of("sleep", "1000"), Map.of(), List.of(), 0, 0, 0, List.of())));
            long task = agent.event(AgentProtocol.STARTED, TASK).readLong();
            for (int sent = 0; sent < FRAMES; sent += EACH) {
                send(agent, frames(EACH));
                agent.answers(sent + 1);
                assertThat(ProcessHandle.of(task))
                        .as("the task after %d frames", sent + EACH)
                        .isPresent();
            }
            agent.kill(TASK, 0);
            agent.event(AgentProtocol.EXITED, TASK);
        }
    }

    private static void send(ConnectedAgent agent, List<byte[]> frames) throws IOException {
        for (byte[] frame : frames) {
            agent.send(frame);
        }
    }
}
