// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * One HTTP connection with as little around it as can be, so that measurements see the other side: POST in protobuf, answers
 * read one after the other, event streams record by record.
 */
final class LeanConnection implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;
    private final String head;
    private String streamId = "";
    /** Octets of the current chunk that have not been read. */
    private int left;

    LeanConnection(InetSocketAddress address, String path) throws IOException {
        socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(address.getHostString(), address.getPort()), 5_000);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
        head = "POST " + path + " HTTP/1.1\r\nHost: " + address.getHostString() + "\r\n"
                + "Content-Type: application/x-protobuf\r\nAccept: application/x-protobuf\r\n";
    }

    /** Sends a request and does not wait; from one thread at a time, another may read. */
    void post(byte[] body, String stream) throws IOException {
        String more = stream.isEmpty() ? "" : "Mesos-Stream-Id: " + stream + "\r\n";
        ByteArrayOutputStream request = new ByteArrayOutputStream(body.length + 256);
        request.writeBytes(
                (head + more + "Content-Length: " + body.length + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
        request.writeBytes(body);
        socket.getOutputStream().write(request.toByteArray());
    }

    /** Reads the head of the next answer, and its body where it is no stream; returns its status. */
    int answer() throws IOException {
        int status = Integer.parseInt(line().split(" ", -1)[1]);
        int length = 0;
        for (String line = line(); !line.isEmpty(); line = line()) {
            String lower = line.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Integer.parseInt(lower.substring(15).trim());
            } else if (lower.startsWith("mesos-stream-id:")) {
                streamId = line.substring(16).trim();
            }
        }
        in.skipNBytes(length);
        return status;
    }

    String streamId() {
        return streamId;
    }

    /** The next record of an event stream; the executor's door splits large ones into several chunks. */
    byte[] record() throws IOException {
        int length = 0;
        for (int c = octet(); c != '\n'; c = octet()) {
            length = length * 10 + (c - '0');
        }
        byte[] record = new byte[length];
        int filled = 0;
        while (filled < length) {
            if (left == 0) {
                nextChunk();
            }
            int part = Math.min(left, length - filled);
            in.readFully(record, filled, part);
            filled += part;
            left -= part;
        }
        return record;
    }

    private int octet() throws IOException {
        if (left == 0) {
            nextChunk();
        }
        left--;
        return in.readUnsignedByte();
    }

    private void nextChunk() throws IOException {
        String size = line();
        left = Integer.parseInt(size.isEmpty() ? line() : size, 16);
        if (left == 0) {
            throw new EOFException("the event stream has ended");
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the connection has ended");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
