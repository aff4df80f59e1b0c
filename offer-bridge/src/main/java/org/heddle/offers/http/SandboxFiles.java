// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.heddle.offers.agent.AgentProtocol;
import org.heddle.offers.agent.FrameCodec;
import org.heddle.offers.master.Master;

/**
 * Reads files of sandboxes through their agents. Paths are {@code /container/tasks/id/..} or
 * {@code /container/executors/id/..}, as {@code /master/state} names them.
 */
final class SandboxFiles {
    private static final int DIRECTORY = 040000;
    private static final int REGULAR = 0100000;
    /** Of Linux, in bytes and so in characters at most. */
    private static final int LONGEST_PATH = 4096;

    private final Master master;

    SandboxFiles(Master master) {
        this.master = master;
    }

    /** A file or directory, times in ms since 1970; {@code permissions} as in {@code rwxr-x---}. */
    public record Entry(
            String path, boolean directory, long size, long modified, String permissions, String owner, String group) {
        /** As {@code ls -l} begins. */
        String modeText() {
            return (directory ? "d" : "-") + permissions;
        }

        /** As {@code stat} has it. */
        int mode() {
            Set<PosixFilePermission> set = PosixFilePermissions.fromString(permissions);
            int bits = directory ? DIRECTORY : REGULAR;
            PosixFilePermission[] all = PosixFilePermission.values();
            for (int i = 0; i < all.length; i++) {
                bits |= set.contains(all[i]) ? 1 << (all.length - 1 - i) : 0;
            }
            return bits;
        }
    }

    /** Part of a file that has {@code size} bytes. */
    public record Content(long size, byte[] data) {}

    /** Whether an agent may be asked for it: the rest can be no file of a sandbox. */
    static boolean isPath(String path) {
        return path.length() <= LONGEST_PATH
                && path.indexOf('\0') < 0
                && path.matches("(?s)/[A-Za-z0-9_]+(/.*)?")
                && !List.of(path.split("/", -1)).contains("..");
    }

    /** The reason why a path cannot be shown. */
    static String problem(String path, Throwable error) {
        Throwable inner = error.getCause() == null ? error : error.getCause();
        return path + " cannot be shown: " + inner.getMessage();
    }

    /** The entries of a directory; fails if the directory does not exist or does not belong to the viewer. */
    CompletableFuture<List<Entry>> list(String path, String viewer) {
        String container = container(path);
        return master.sandbox(container, viewer, AgentProtocol.LIST, out -> FrameCodec.writeText(out, rest(path)))
                .thenApply(answer -> entries(answer, container));
    }

    /** @param length maximum number of bytes; -1 for the size alone */
    CompletableFuture<Content> read(String path, long offset, long length, String viewer) {
        return master.sandbox(container(path), viewer, AgentProtocol.READ, out -> {
                    FrameCodec.writeText(out, rest(path));
                    out.writeLong(offset);
                    out.writeLong(length);
                })
                .thenApply(SandboxFiles::content);
    }

    private static String container(String path) {
        return path.substring(1).split("/", 2)[0];
    }

    private static String rest(String path) {
        return path.substring(1 + container(path).length()).replaceFirst("^/", "");
    }

    private static Content content(byte[] answer) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(answer))) {
            return new Content(in.readLong(), FrameCodec.readBytes(in));
        } catch (IOException e) {
            throw new UncheckedIOException("the agent's response cannot be read", e);
        }
    }

    private static List<Entry> entries(byte[] answer, String container) {
        List<Entry> entries = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(answer))) {
            for (int left = in.readInt(); left > 0; left--) {
                String path = "/" + container + "/" + FrameCodec.readText(in);
                boolean directory = in.readBoolean();
                entries.add(new Entry(
                        path,
                        directory,
                        in.readLong(),
                        in.readLong(),
                        FrameCodec.readText(in),
                        FrameCodec.readText(in),
                        FrameCodec.readText(in)));
            }
            return entries;
        } catch (IOException e) {
            throw new UncheckedIOException("the agent's response cannot be read", e);
        }
    }
}
