// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.attack;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.heddle.testkit.Await;

/** Clients of a web server on this machine that send a part of a request and keep the connection. */
public final class SlowClients implements AutoCloseable {
    private static final int WAIT_MILLIS =
            Math.toIntExact(Await.stretched(Duration.ofSeconds(30)).toMillis());

    private final int port;
    private final List<Socket> sockets = new ArrayList<>();

    public SlowClients(int port) {
        this.port = port;
    }

    /** Opens connections and sends the same text on each. */
    public List<Socket> send(int connections, String text) throws IOException {
        List<Socket> opened = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            opened.add(send(text));
        }
        return opened;
    }

    /** Opens a connection and sends a text. */
    public Socket send(String text) throws IOException {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), WAIT_MILLIS);
        socket.setSoTimeout(WAIT_MILLIS);
        socket.setTcpNoDelay(true);
        send(socket, text);
        return socket;
    }

    /** Sends more. */
    public static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /**
     * All that the server sends until it ends the connection.
     *
     * @throws IOException if it does not end it
     */
    public static String answer(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** The first line of the server's answer. */
    public static String status(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\r'; c = in.read()) {
            line.append((char) c);
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
