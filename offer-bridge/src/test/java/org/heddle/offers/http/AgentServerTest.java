// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.heddle.journal.LocalStorage;
import org.heddle.offers.TestClocks;
import org.heddle.offers.fixture.TestBridges;
import org.heddle.offers.master.GenerousCluster;
import org.heddle.offers.master.Master;
import org.heddle.offers.master.agents.AgentRegistry;
import org.heddle.offers.master.state.MasterIdentity;
import org.heddle.offers.master.state.StateExecutor;
import org.heddle.offers.store.Journal;
import org.heddle.testkit.attack.SlowClients;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The port for agents, which may be open to a network: its key, and strangers on it. */
class AgentServerTest {
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final int PATIENCE_MILLIS = 60_000;

    @TempDir
    private Path journals;

    private Journal journal;
    private StateExecutor loop;
    private AgentRegistry registry;

    @BeforeEach
    void open() throws IOException {
        journal = Journal.open(journals);
        loop = new StateExecutor(TestClocks.of(() -> 1_000_000L), journal, () -> {});
        registry = new Master(
                        loop,
                        new GenerousCluster(),
                        TestBridges.settings(journals, 0, 0).limits(),
                        new MasterIdentity("bridge", "localhost", "127.0.0.1", 5050))
                .agents();
        loop.start();
    }

    @AfterEach
    void close() throws IOException {
        loop.close();
        journal.close();
    }

    @Test
    void aConnectionWithoutAnIntroductionIsClosed() throws Exception {
        try (AgentServer server = new AgentServer(100)) {
            InetSocketAddress address = server.open(ANY, null, () -> registry);
            try (Socket silent = new Socket(address.getAddress(), address.getPort())) {
                silent.setSoTimeout(PATIENCE_MILLIS);
                assertThat(silent.getInputStream().read()).isEqualTo(-1);
            }
        }
    }

    @Test
    void aLargeFirstFrameIsNotAwaited() throws Exception {
        try (AgentServer server = new AgentServer(600_000)) {
            InetSocketAddress address = server.open(ANY, null, () -> registry);
            try (Socket large = new Socket(address.getAddress(), address.getPort())) {
                large.setSoTimeout(PATIENCE_MILLIS);
                new DataOutputStream(large.getOutputStream()).writeInt(50 << 20);
                assertThat(endOf(large)).isTrue();
            }
        }
    }

    @Test
    void oneAddressHasFewConnectionsThatAreNotIntroduced() throws Exception {
        try (AgentServer server = new AgentServer(600_000)) {
            InetSocketAddress address = server.open(ANY, null, () -> registry);
            try (SlowClients strangers = new SlowClients(address.getPort())) {
                strangers.send(64, "\0\0");
                assertThat(endOf(strangers.send("\0\0"))).isTrue();
            }
        }
    }

    /** Both a closed and a reset connection have ended. */
    private static boolean endOf(Socket socket) {
        try {
            return socket.getInputStream().read() == -1;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void bridgesOfOneStateDirectoryHaveOneKeyThatOnlyTheirUserReads(@TempDir Path directory) throws Exception {
        Path state = directory.resolve("state");
        List<String> fingerprints = Stream.of(open(state), open(state)).toList().stream()
                .map(CompletableFuture::join)
                .toList();
        assertThat(fingerprints.get(0)).hasSize(64).isEqualTo(fingerprints.get(1));
        assertThat(AgentKey.open(new LocalStorage(state)).fingerprint()).isEqualTo(fingerprints.get(0));
        try (Stream<Path> files = Files.list(state)) {
            assertThat(files).containsExactly(state.resolve("agent-key.p12"));
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state.resolve("agent-key.p12"))))
                .isEqualTo("rw-------");
        Files.writeString(state.resolve("agent-key.p12"), "damaged");
        assertThatThrownBy(() -> AgentKey.open(new LocalStorage(state)))
                .hasMessageContaining("agent-key.p12 cannot be used");
    }

    private static CompletableFuture<String> open(Path state) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return AgentKey.open(new LocalStorage(state)).fingerprint();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
