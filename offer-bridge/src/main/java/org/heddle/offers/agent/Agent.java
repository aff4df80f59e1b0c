// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The bridge's program in a YARN container. It keeps one connection to the bridge, and starts and ends processes as the
 * bridge orders. Without a bridge it goes on with its processes for {@code HEDDLE_ORPHAN_MILLIS}, then it ends.
 *
 * <p>Environment: {@code HEDDLE_BRIDGE} addresses of bridges, host:port, separated by commas; {@code HEDDLE_CONTAINER};
 * {@code HEDDLE_SECRET}; {@code HEDDLE_CERTIFICATE} SHA-256 of the bridge's certificate if connections are encrypted;
 * {@code HEDDLE_EXECUTOR_TOKENS} "required" if executors must show a token; {@code HEDDLE_LIMITS} auto or off;
 * {@code HEDDLE_CGROUPS} directory of the cgroup hierarchies.
 */
public final class Agent {
    private static final int CONNECT_MILLIS = 2_000;
    private static final long FIRST_PAUSE = 50;
    /** Time between two attempts to connect while a standby may take over, in ms. */
    private static final long TAKEOVER_PAUSE = 400;

    private static final long TAKEOVER_MILLIS = 10_000;
    private static final long LONGEST_PAUSE = 2_000;
    /** A bridge that has sent nothing for so long, not even a PING, is gone: the agent connects anew. In ms. */
    private static final int SILENCE_MILLIS = (int) (4 * AgentProtocol.PING_MILLIS);
    /** Longest time until a bridge has welcomed the agent, in ms: one that is stopped still takes connections. */
    private static final int WELCOME_MILLIS = 20_000;

    private final List<InetSocketAddress> bridges = new ArrayList<>();
    private final String container;
    private final String secret;
    private final long orphanMillis;
    private final Outbox outbox = new Outbox();
    private final Sandboxes sandboxes;
    private final TaskLimits limits;
    private final Processes processes;
    private final FrameHandler frames;
    private final PinnedTls encryption;
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(task -> thread("timer", task));

    private Agent(Map<String, String> environment) throws IOException {
        for (String address : required(environment, "HEDDLE_BRIDGE").split(",", -1)) {
            int colon = address.lastIndexOf(':');
            bridges.add(InetSocketAddress.createUnresolved(
                    address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))));
        }
        container = required(environment, "HEDDLE_CONTAINER");
        secret = required(environment, "HEDDLE_SECRET");
        orphanMillis = Long.parseLong(environment.getOrDefault("HEDDLE_ORPHAN_MILLIS", "900000"));
        sandboxes = new Sandboxes(Path.of("sandboxes"));
        String name = container + "." + ProcessHandle.current().pid();
        limits = TaskLimits.probe(
                environment.getOrDefault("HEDDLE_LIMITS", "auto"),
                Path.of(environment.getOrDefault("HEDDLE_CGROUPS", "/sys/fs/cgroup")),
                name);
        if (!limits.whatIsMissing().isEmpty()) {
            log("WARNING: limits of tasks: " + limits.whatIsMissing());
        }
        encryption = new PinnedTls(environment.getOrDefault("HEDDLE_CERTIFICATE", ""));
        boolean tokens = environment.getOrDefault("HEDDLE_EXECUTOR_TOKENS", "").equals("required");
        ContainerGuard guard = new ContainerGuard(name, sandboxes.root(), limits.parents());
        guard.start();
        processes = new Processes(outbox, sandboxes, limits, guard, timer, tokens, environment);
        frames = new FrameHandler(outbox, processes, new FileRequests(sandboxes, outbox));
    }

    private static String required(Map<String, String> environment, String name) {
        String value = environment.get(name);
        if (value == null) {
            throw new IllegalArgumentException(
                    "environment variable " + name + " is not set: agents are started by the offer bridge only");
        }
        return value;
    }

    public static void main(String[] args) throws Exception {
        Agent agent;
        try {
            agent = new Agent(System.getenv());
        } catch (IllegalArgumentException e) {
            log(e.getMessage());
            System.exit(2);
            return;
        }
        Runtime.getRuntime().addShutdownHook(thread("end", () -> {
            // The guard ends its processes because the container ends. Why it does, the bridge hears from YARN.
            agent.outbox.close();
        }));
        System.exit(agent.run());
    }

    private int run() throws InterruptedException {
        long lastSeen = System.nanoTime();
        long pause = FIRST_PAUSE;
        for (int attempt = 0; ; attempt++) {
            InetSocketAddress bridge = bridges.get(attempt % bridges.size());
            try (Socket socket = new Socket()) {
                socket.setTcpNoDelay(true);
                socket.setKeepAlive(true);
                socket.connect(new InetSocketAddress(bridge.getHostString(), bridge.getPort()), CONNECT_MILLIS);
                socket.setSoTimeout(WELCOME_MILLIS);
                // Only the plain one is closed: with TLS, to close waits until what is being written is read.
                if (serve(encryption.of(socket, bridge))) {
                    return 0;
                }
                pause = FIRST_PAUSE;
                lastSeen = System.nanoTime();
            } catch (IOException e) {
                log("bridge " + bridge + ": " + e.getMessage());
            } finally {
                outbox.disconnect();
            }
            long away = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lastSeen);
            if (away > orphanMillis) {
                log("no bridge for " + orphanMillis + " ms: the agent ends");
                return 1;
            }
            TimeUnit.MILLISECONDS.sleep(pause);
            pause = Math.min(away < TAKEOVER_MILLIS ? TAKEOVER_PAUSE : LONGEST_PAUSE, pause * 2);
        }
    }

    /** Serves one connection; returns false when it broke, true when the bridge has sent QUIT. */
    private boolean serve(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 14));
        OutputStream out = socket.getOutputStream();
        out.write(hello());
        out.flush();
        byte[] first = FrameCodec.readFrame(in);
        if (first[0] != AgentProtocol.WELCOME) {
            throw new IOException("the bridge did not answer with WELCOME");
        }
        socket.setSoTimeout(SILENCE_MILLIS);
        outbox.connect(frame -> {
            out.write(frame);
            out.flush();
        });
        try {
            while (true) {
                byte[] frame = FrameCodec.readFrame(in);
                if (frame[0] == AgentProtocol.QUIT) {
                    return true;
                }
                frames.handle(frame);
            }
        } catch (IOException e) {
            log("the connection to the bridge broke: " + e.getMessage());
            return false;
        }
    }

    private byte[] hello() {
        return FrameCodec.frame(AgentProtocol.HELLO, out -> {
            out.writeInt(AgentProtocol.VERSION);
            out.writeUTF(container);
            out.writeUTF(secret);
            out.writeLong(ProcessHandle.current().pid());
            out.writeUTF(sandboxes.root().toString());
            FrameCodec.writeText(out, limits.whatIsMissing());
            List<Processes.Running> live = List.copyOf(processes.running().values());
            out.writeInt(live.size());
            for (Processes.Running one : live) {
                out.writeUTF(one.launch().key());
                ExecutorEndpoint endpoint = one.endpoint();
                out.writeBoolean(endpoint != null && endpoint.isOpen());
            }
        });
    }

    /** Logs to standard error, which YARN keeps as the container's stderr. */
    static void log(@Nullable String message) {
        System.err.println(Instant.now() + " " + message);
    }

    /**
     * Work that is done again and again, also after it has failed. A task may have taken all threads that its user may
     * have; then Java says OutOfMemoryError when one is to start. (Where memory is meant, that has ended the agent:
     * {@code -XX:+ExitOnOutOfMemoryError}.)
     */
    static Runnable again(Runnable work) {
        return () -> {
            try {
                work.run();
            } catch (RuntimeException | OutOfMemoryError e) {
                log("will be tried again: " + e);
            }
        };
    }

    static Thread thread(String name, Runnable task) {
        Thread thread = new Thread(null, task, name, 128 << 10);
        thread.setDaemon(true);
        return thread;
    }
}
