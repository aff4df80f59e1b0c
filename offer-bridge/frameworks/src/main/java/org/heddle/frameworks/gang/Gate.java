// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.gang;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Where the tasks of a gang wait for each other. Each connects, says its name, and goes on when it gets a line. It ends when
 * the connection is closed without one.
 */
public final class Gate implements AutoCloseable {
    private static final int HELLO_MILLIS = 10_000;

    private final ServerSocket server;
    private final String token;
    private final Consumer<String> arrivals;
    private final Map<String, Socket> waiting = new ConcurrentHashMap<>();

    /**
     * @param address where tasks can reach this process
     * @param arrivals gets the name of each task that has come, in a thread of the gate
     */
    public Gate(InetAddress address, Consumer<String> arrivals) throws IOException {
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
            try {
                Socket socket = server.accept();
                Thread hello = new Thread(() -> greet(socket), "gate-hello");
                hello.setDaemon(true);
                hello.start();
            } catch (IOException e) {
                // Closed, or one connection that did not come about.
            }
        }
    }

    private void greet(Socket socket) {
        try {
            socket.setSoTimeout(HELLO_MILLIS);
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            String line = in.readLine();
            if (line == null || !line.startsWith(token + " ")) {
                socket.close();
                return;
            }
            String task = line.substring(token.length() + 1);
            waiting.put(task, socket);
            arrivals.accept(task);
        } catch (IOException e) {
            // The task has ended; its status says so.
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
            try {
                socket.close();
            } catch (IOException e) {
                // It is closed.
            }
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
