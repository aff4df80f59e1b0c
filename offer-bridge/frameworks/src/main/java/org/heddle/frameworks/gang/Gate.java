// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.gang;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.heddle.settings.Clocks;

/**
 * Where the tasks of a gang wait for each other. Each connects, says its name, and goes on when it gets a line. It ends
 * when the connection is closed without one.
 */
public final class Gate implements AutoCloseable {
    private static final long HELLO_MILLIS = 10_000;
    private static final int LONGEST_HELLO = 1_000;

    /** Connections whose names are being read; others wait to be accepted, a task among them. */
    private static final int MOST_GREETINGS = 64;

    private final ServerSocket server;
    private final long helloMillis;
    private final Semaphore greetings = new Semaphore(MOST_GREETINGS);
    private final String token;
    private final Consumer<String> arrivals;
    private final Map<String, Socket> waiting = new ConcurrentHashMap<>();

    /**
     * @param address where tasks can reach this process
     * @param arrivals gets the name of each task that has come, in a thread of the gate
     */
    public Gate(InetAddress address, Consumer<String> arrivals) throws IOException {
        this(address, arrivals, HELLO_MILLIS);
    }

    /** @param helloMillis longest time from the connection to the end of its first line, in ms */
    Gate(InetAddress address, Consumer<String> arrivals, long helloMillis) throws IOException {
        this.helloMillis = helloMillis;
        this.server = new ServerSocket(0, 128, address);
        byte[] secret = new byte[16];
        new SecureRandom().nextBytes(secret);
        this.token = HexFormat.of().formatHex(secret);
        this.arrivals = arrivals;
        Thread accepting = new Thread(this::accept, "gate");
        accepting.setDaemon(true);
        accepting.start();
    }

    private void accept() {
        while (!server.isClosed()) {
            greetings.acquireUninterruptibly();
            try {
                Socket socket = server.accept();
                Thread hello = new Thread(() -> greet(socket), "gate-hello");
                hello.setDaemon(true);
                hello.start();
            } catch (IOException e) {
                // Closed, or one connection that did not come about.
                greetings.release();
            }
        }
    }

    private void greet(Socket socket) {
        String line = "";
        try {
            line = hello(socket);
            if (!line.startsWith(token + " ")) {
                socket.close();
            }
        } catch (IOException e) {
            // The task has ended; its status says so.
            dropped(socket);
        } finally {
            greetings.release();
        }
        if (line.startsWith(token + " ")) {
            String task = line.substring(token.length() + 1);
            waiting.put(task, socket);
            arrivals.accept(task);
        }
    }

    /** The first line; empty if it is too long, or does not come in time, however steadily it comes. */
    private String hello(Socket socket) throws IOException {
        long end = Clocks.SYSTEM.millis() + helloMillis;
        InputStream in = socket.getInputStream();
        byte[] line = new byte[LONGEST_HELLO];
        int length = 0;
        for (long left = helloMillis; left > 0 && length < LONGEST_HELLO; left = end - Clocks.SYSTEM.millis()) {
            socket.setSoTimeout((int) left);
            int read = in.read(line, length, LONGEST_HELLO - length);
            if (read < 0) {
                return "";
            }
            length += read;
            if (line[length - 1] == '\n') {
                return new String(line, 0, length - 1, StandardCharsets.US_ASCII);
            }
        }
        return "";
    }

    private static void dropped(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is closed.
        }
    }

    /**
     * The beginning of a task's script of bash: waits, then has the line in {@code $line}.
     *
     * @param task its name
     */
    public String script(String task) {
        return "exec 3<>/dev/tcp/" + server.getInetAddress().getHostAddress() + "/" + server.getLocalPort()
                + " || exit 90\necho " + token + " " + task + " >&3\n"
                + "IFS= read -r line <&3 || { echo 'the gang did not form' >&2; exit 91; }\nexec 3>&-\n";
    }

    /** Lets a task go on. */
    public void open(String task, String line) throws IOException {
        Socket socket = waiting.remove(task);
        if (socket == null) {
            throw new IOException("task " + task + " does not wait at the gate");
        }
        try (socket;
                OutputStream out = socket.getOutputStream()) {
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Ends a task that waits. */
    public void dismiss(String task) {
        Socket socket = waiting.remove(task);
        if (socket != null) {
            dropped(socket);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            // It is closed.
        }
        waiting.keySet().forEach(this::dismiss);
    }
}
