// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is asked of an agent, it carries out the next order. */
class AgentOrdersTest {
    private static final String TASK = "t/one";
    private static final String EXECUTOR = "e/one";
    private static final int MANY = 1_500;
    private static final int MEBIBYTE = 1 << 20;

    @TempDir
    private Path directory;

    private ConnectedAgent agent;

    @BeforeEach
    void start() throws IOException {
        agent = new ConnectedAgent(directory, Map.of("LC_ALL", "C.UTF-8"));
        launch(TASK, false, "sleep 1000");
    }

    @AfterEach
    void end() throws IOException {
        try (ConnectedAgent used = agent) {
            used.kill(TASK, 0);
            used.event(AgentProtocol.EXITED, TASK);
        }
    }

    private void launch(String key, boolean executor, String line) throws IOException {
        agent.send(FrameCodec.launch(new LaunchSpec(
                key, key, executor, "", List.of("sh", "-c", line), Map.of(), List.of(), 0, 0, 0, List.of())));
        agent.event(AgentProtocol.STARTED, key);
    }

    private Path sandbox() {
        return directory.resolve("sandboxes").resolve(TASK);
    }

    @Test
    void onlyRegularFilesOfSandboxesAreRead() throws Exception {
        launch(
                "t/maker",
                false,
                "mkfifo ../one/pipe; ln -s /etc/passwd ../one/link; ln -s pipe ../one/to-pipe;"
                        + " ln -s / ../one/root; echo 1 > ../one/file");
        agent.event(AgentProtocol.EXITED, "t/maker");
        assertThat(agent.files(AgentProtocol.READ, TASK + "/pipe").message()).endsWith("t/one/pipe is no regular file");
        assertThat(agent.files(AgentProtocol.READ, TASK + "/to-pipe").message()).endsWith("is no regular file");
        assertThat(agent.files(AgentProtocol.READ, TASK).message()).endsWith("is no regular file");
        assertThat(agent.files(AgentProtocol.READ, TASK + "/link").message()).endsWith("is outside of the sandboxes");
        assertThat(agent.files(AgentProtocol.LIST, TASK + "/root/etc").message())
                .endsWith("is outside of the sandboxes");
        assertThat(agent.files(AgentProtocol.LIST, TASK + "/pipe").good()).isFalse();
        assertThat(agent.files(AgentProtocol.READ, TASK + "/a\0b").message()).contains("is not allowed");
        assertThat(agent.files(AgentProtocol.READ, "a".repeat(100_000)).good()).isFalse();
        assertThat(agent.files(AgentProtocol.READ, TASK + "/file").good()).isTrue();
        assertThat(agent.files(AgentProtocol.LIST, TASK).message()).contains("pipe", "link", "file", "stdout");
    }

    @Test
    void oddFilesAreListedAndReadOrRefused() throws Exception {
        launch(
                "t/maker",
                false,
                "cd ../one; truncate -s 100G sparse; : > \"$(printf 'n\\377o\\nname')\"; mkdir none; chmod 0 none;"
                        + " ln -s loop loop; ln -s /proc/self/mem memory; mkdir deep; cd deep;"
                        + " for i in 1 2 3 4 5 6 7 8; do mkdir $(printf '%0255d' 0); cd 0*; done");
        agent.event(AgentProtocol.EXITED, "t/maker");
        try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(UnixDomainSocketAddress.of(sandbox().resolve("socket")));
            assertThat(agent.files(AgentProtocol.READ, TASK + "/socket").message())
                    .endsWith("is no regular file");
        }
        for (String odd : List.of("none", "loop", "memory", "stdout/x", "deep", "n\ufffdo\nname", "a".repeat(300))) {
            assertThat(agent.files(AgentProtocol.READ, TASK + "/" + odd).good())
                    .as(odd)
                    .isFalse();
        }
        assertThat(agent.files(AgentProtocol.LIST, TASK).message()).contains("sparse", "socket", "loop", "n\ufffdo");
        ConnectedAgent.Answer sparse = agent.files(AgentProtocol.READ, TASK + "/sparse");
        assertThat(sparse.good()).isTrue();
        assertThat(sparse.body()).hasSize(Long.BYTES + Integer.BYTES + (128 << 10));
    }

    /** A task writes, cuts and removes what is read. */
    @Test
    void aFileMayChangeAndVanishWhileItIsRead() throws Exception {
        launch("t/changes", false, "cd ../one; while :; do head -c 200000 /dev/zero > f; : > f; rm f; done");
        int good = 0;
        for (int i = 0; i < 200; i++) {
            ConnectedAgent.Answer answer = agent.files(AgentProtocol.READ, TASK + "/f");
            good += answer.good() ? 1 : 0;
            assertThat(answer.good()
                            || answer.message().contains("NoSuchFile")
                            || answer.message().contains("no regular"))
                    .as(answer.message())
                    .isTrue();
            assertThat(agent.files(AgentProtocol.LIST, TASK).good()).isTrue();
        }
        assertThat(good).isPositive();
        agent.kill("t/changes", 0);
        agent.event(AgentProtocol.EXITED, "t/changes");
    }

    /** An archive may have a pipe of that name, and a task may make one. */
    @ParameterizedTest
    @ValueSource(strings = {"stdout", "stderr"})
    void outputIsARegularFile(String name) throws Exception {
        Path pipe = directory.resolve(name);
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Path archive = directory.resolve("a.tar");
        assertThat(new ProcessBuilder("tar", "-cf", archive.toString(), "-C", directory.toString(), name)
                        .start()
                        .waitFor())
                .isZero();
        LaunchSpec.Uri uri = new LaunchSpec.Uri(archive.toString(), true, false, "");
        // Three of them: two threads start processes.
        for (int i = 0; i < 3; i++) {
            String key = "t/fetches" + i;
            agent.send(FrameCodec.launch(
                    new LaunchSpec(key, key, false, "", List.of("true"), Map.of(), List.of(uri), 0, 0, 0, List.of())));
            DataInputStream answer = agent.event(AgentProtocol.NOT_STARTED, key);
            assertThat(FrameCodec.readText(answer)).startsWith("'" + name + "' in the sandbox is no regular file");
        }
        launch("t/makes", false, "echo begin; rm " + name + "; mkfifo " + name);
        DataInputStream ended = agent.event(AgentProtocol.EXITED, "t/makes");
        assertThat(ended.readInt()).isZero();
    }

    @Test
    void theEndOfTheOutputComesWithTheEnd() throws Exception {
        launch("t/tells", false, "head -c 5000000 /dev/zero; echo end; echo why >&2; exit 3");
        DataInputStream ended = agent.event(AgentProtocol.EXITED, "t/tells");
        assertThat(ended.readInt()).isEqualTo(3);
        ended.readBoolean();
        ended.readBoolean();
        assertThat(FrameCodec.readText(ended)).isEmpty();
        assertThat(FrameCodec.readText(ended)).endsWith("\0end\nwhy\n").hasSize(1_024 + 4);
    }

    @Test
    void ofALargeDirectoryTheFirstEntriesAreListed() throws Exception {
        for (int i = 0; i < MANY; i++) {
            Files.createFile(sandbox().resolve("f" + (10_000 + i) + "-".repeat(200)));
        }
        for (int i = 0; i < 4; i++) {
            ConnectedAgent.Answer answer = agent.files(AgentProtocol.LIST, TASK);
            assertThat(answer.good()).isTrue();
            assertThat(new DataInputStream(new ByteArrayInputStream(answer.body())).readInt())
                    .isEqualTo(1_000);
            assertThat(answer.message()).contains("f10000-", "f10999-").doesNotContain("f11000-");
        }
    }

    @Test
    void moreRequestsForFilesThanItCanKeepAreRefused() throws Exception {
        Files.write(sandbox().resolve("large"), new byte[4 * MEBIBYTE]);
        for (int i = 0; i < MANY; i++) {
            long request = i;
            agent.send(FrameCodec.frame(AgentProtocol.READ, out -> {
                out.writeLong(request);
                FrameCodec.writeText(out, TASK + "/large");
                out.writeLong(0);
                out.writeLong(4 * MEBIBYTE);
            }));
        }
        agent.answers(1);
    }

    @Test
    void anExecutorThatDoesNotReadHoldsUpNobody() throws Exception {
        launch(EXECUTOR, true, "echo $MESOS_AGENT_ENDPOINT; exec sleep 1000");
        Path stdout = directory.resolve("sandboxes").resolve(EXECUTOR).resolve("stdout");
        Await.until(
                "the address of the endpoint",
                Duration.ofSeconds(30),
                () -> Files.exists(stdout) && stdout.toFile().length() > 10);
        int port = Integer.parseInt(Files.readString(stdout).strip().split(":", -1)[1]);
        try (Socket executor = new Socket(InetAddress.getLoopbackAddress(), port)) {
            executor.getOutputStream()
                    .write("POST /api/v1/executor HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx"
                            .getBytes(StandardCharsets.US_ASCII));
            byte[] call = agent.next(AgentProtocol.EVENT);
            long seq = ByteBuffer.wrap(call).getLong(1);
            agent.send(FrameCodec.frame(AgentProtocol.HTTP_REPLY, out -> {
                out.writeLong(seq);
                out.writeUTF(EXECUTOR);
                out.writeInt(200);
                out.writeUTF("application/json");
                out.writeBoolean(true);
                FrameCodec.writeBytes(out, new byte[1]);
            }));
            for (int i = 0; i < 100; i++) {
                agent.send(FrameCodec.frame(AgentProtocol.STREAM, out -> {
                    out.writeUTF(EXECUTOR);
                    FrameCodec.writeText(out, "");
                    FrameCodec.writeBytes(out, new byte[MEBIBYTE / 4]);
                }));
            }
            agent.answers(2);
            agent.kill(EXECUTOR, 0);
            agent.event(AgentProtocol.EXITED, EXECUTOR);
        }
    }

    @Test
    void aFrameThatCannotBeReadIsIgnored() throws Exception {
        for (int kind = -128; kind < 128; kind++) {
            if (kind != AgentProtocol.QUIT) {
                byte one = (byte) kind;
                agent.send(FrameCodec.frame(one, out -> {}));
                agent.send(FrameCodec.frame(one, out -> out.writeLong(-1)));
            }
        }
        agent.answers(3);
    }
}
