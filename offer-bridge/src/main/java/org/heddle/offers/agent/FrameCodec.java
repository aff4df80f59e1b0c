// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Reads and writes the frames of {@link AgentProtocol}, for both sides. */
public final class FrameCodec {
    /** Writes the fields of a frame. */
    @FunctionalInterface
    public interface Fields {
        void write(DataOutputStream out) throws IOException;
    }

    private FrameCodec() {}

    /** A whole frame, which begins with its length. */
    public static byte[] frame(byte kind, Fields fields) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
        DataOutputStream out = new DataOutputStream(bytes);
        try {
            out.writeInt(0);
            out.writeByte(kind);
            fields.write(out);
        } catch (IOException e) {
            throw new IllegalStateException("cannot write a frame to memory", e);
        }
        byte[] frame = bytes.toByteArray();
        int length = frame.length - 4;
        frame[0] = (byte) (length >>> 24);
        frame[1] = (byte) (length >>> 16);
        frame[2] = (byte) (length >>> 8);
        frame[3] = (byte) length;
        return frame;
    }

    public static byte[] launch(LaunchSpec launch) {
        return frame(AgentProtocol.LAUNCH, launch::write);
    }

    /** Reads a frame and returns it without its length; the first byte is its kind. */
    static byte[] readFrame(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 1 || length > AgentProtocol.LARGEST) {
            throw new IOException("a frame of " + length + " bytes: want 1 to " + AgentProtocol.LARGEST);
        }
        byte[] frame = in.readNBytes(length);
        if (frame.length < length) {
            throw new EOFException("the connection ended within a frame");
        }
        return frame;
    }

    /** Text of any length, because {@link DataOutputStream#writeUTF} allows 64 KiB at most. */
    public static void writeText(DataOutputStream out, String text) throws IOException {
        writeBytes(out, text.getBytes(StandardCharsets.UTF_8));
    }

    public static String readText(DataInputStream in) throws IOException {
        return new String(readBytes(in), StandardCharsets.UTF_8);
    }

    public static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    public static byte[] readBytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > AgentProtocol.LARGEST) {
            throw new IOException("a field of " + length + " bytes: want 0 to " + AgentProtocol.LARGEST);
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the frame ended within a field");
        }
        return bytes;
    }
}
