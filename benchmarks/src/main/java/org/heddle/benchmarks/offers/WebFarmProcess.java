// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.heddle.frameworks.Main;
import org.heddle.testkit.Await;
import org.heddle.testkit.jobs.SmallJvm;
import org.heddle.testkit.jobs.WebClients;
import org.heddle.testkit.jobs.WebFarmOutput;

/** {@code heddle webfarm} in a process of its own, until it is closed. */
public final class WebFarmProcess implements AutoCloseable {
    private final InetSocketAddress address;
    private final Path log;
    private final Process process;

    /** Starts it, and waits until it serves. */
    public WebFarmProcess(Path home, URI bridge, String... options) throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket free = new ServerSocket(0, 1, loopback)) {
            address = new InetSocketAddress(loopback, free.getLocalPort());
        }
        log = Files.createTempFile(home, "webfarm", ".log");
        List<String> arguments =
                new ArrayList<>(List.of("webfarm", "--bridge=" + bridge, "--bind=127.0.0.1:" + address.getPort()));
        arguments.addAll(List.of(options));
        process = SmallJvm.start(home, Main.class, home, log, arguments);
        Await.until("a web server", Duration.ofMinutes(2), () -> isAlive() && servers() > 0);
    }

    /**
     * Clients of a page, until they are closed.
     *
     * @param pause of each between two requests
     */
    public WebClients clients(String path, int clients, Duration pause) {
        return new WebClients(address, path, clients, pause);
    }

    /** @throws IOException if it has ended */
    public boolean isAlive() throws IOException {
        if (!process.isAlive()) {
            throw new IOException("heddle webfarm has ended: see " + log);
        }
        return true;
    }

    /** Servers that serve now, by what it has printed. */
    int servers() throws IOException {
        return WebFarmOutput.servers(Files.readString(log));
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
