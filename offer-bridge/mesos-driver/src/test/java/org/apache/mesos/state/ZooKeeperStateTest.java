// SPDX-License-Identifier: Apache-2.0
package org.apache.mesos.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Variables in a real ZooKeeper. */
class ZooKeeperStateTest {
    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void variablesAreVersioned(@TempDir Path directory) throws Exception {
        ZooKeeperServer server = new ZooKeeperServer(directory.toFile(), directory.toFile(), 200);
        NIOServerCnxnFactory factory = new NIOServerCnxnFactory();
        factory.configure(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 20);
        factory.startup(server);
        try {
            String servers = "127.0.0.1:" + factory.getLocalPort();
            State state = new ZooKeeperState(servers, 20, TimeUnit.SECONDS, "/frameworks/state");
            State other = new ZooKeeperState(
                    servers, 20, TimeUnit.SECONDS, "/frameworks/state", "digest", bytes("user:password"));
            assertThat(state.names().get().hasNext()).isFalse();
            Variable fresh = state.fetch("id").get();
            assertThat(fresh.value()).isEmpty();
            Variable stored = state.store(fresh.mutate(bytes("one"))).get();
            assertThat(stored.value()).isEqualTo(bytes("one"));

            Variable seen = other.fetch("id").get();
            assertThat(seen.value()).isEqualTo(bytes("one"));
            assertThat(other.store(seen.mutate(bytes("two"))).get()).isNotNull();
            assertThat(state.store(stored.mutate(bytes("three"))).get())
                    .as("a store over a newer version")
                    .isNull();
            assertThat(state.expunge(stored).get()).isFalse();

            Variable current = state.fetch("id").get();
            assertThat(current.value()).isEqualTo(bytes("two"));
            assertThat(state.names().get()).toIterable().containsExactly("id");
            assertThat(state.expunge(current).get()).isTrue();
            assertThat(state.expunge(current).get()).isFalse();
            Variable large = state.fetch("large").get().mutate(new byte[2 << 20]);
            assertThatThrownBy(() -> state.store(large).get())
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("'large'");
        } finally {
            factory.shutdown();
        }
    }

    @Test
    void whatNeedsTheNativeLibraryIsRefused() {
        assertThatThrownBy(() -> new LevelDBState("/tmp/state")).hasMessageContaining("use ZooKeeperState");
    }
}
