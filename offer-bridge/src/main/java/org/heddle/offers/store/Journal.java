// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.store;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.heddle.settings.file.AtomicFile;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A durable map from names to bytes: a write-ahead log of batches, replayed when opened, rewritten when it has grown. For
 * one thread.
 *
 * <pre>
 * file   = "HDLJ" version(int = 2) batch*
 * batch  = length(int) crc32c(int) body
 * body   = entries(int) { name(UTF) length(int, -1 = removed) bytes }*
 * </pre>
 *
 * A batch is applied as a whole or not at all: a batch that a crash left incomplete at the end is cut off. If a damaged batch
 * is followed by another one, the disk has lost stored data, and opening fails.
 */
public final class Journal implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);
    private static final int MAGIC = 0x48444C4A;
    private static final int VERSION = 2;
    /** The file holds credentials. */
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private static final int LARGEST_BATCH = 256 << 20;
    private static final long COMPACT_AFTER = 32L << 20;

    /** Another process has the journal open. */
    public static final class InUse extends IOException {
        private static final long serialVersionUID = 1;

        InUse(String message) {
            super(message);
        }
    }

    private final Path file;
    private final FileChannel lockChannel;
    private final FileLock lock;
    private final TreeMap<String, byte[]> live = new TreeMap<>();
    private FileChannel channel;
    private long liveBytes;
    private long written;

    private Journal(Path file, FileChannel lockChannel, FileLock lock, FileChannel channel) {
        this.file = file;
        this.lockChannel = lockChannel;
        this.lock = lock;
        this.channel = channel;
    }

    /**
     * Opens or creates the journal of a directory, for this process only.
     *
     * @throws IOException one sentence: in use, unreadable, of an unknown version, or damaged
     */
    @SuppressWarnings("resource") // the lock and the channel live as long as the journal
    public static Journal open(Path directory) throws IOException {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new IOException(
                    "state directory " + directory + " cannot be created (" + e + "): set another one with"
                            + " heddle.bridge.state.dir",
                    e);
        }
        Path file = directory.resolve("bridge.journal");
        FileChannel lockChannel =
                FileChannel.open(directory.resolve("bridge.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock;
        try {
            lock = lockChannel.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            lockChannel.close();
            throw new InUse("state directory " + directory + " is in use by another bridge: stop it first, or give"
                    + " this one its own heddle.bridge.state.dir");
        }
        try {
            boolean fresh = !Files.exists(file) || Files.size(file) < 8;
            FileChannel channel = FileChannel.open(
                    file,
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                    OWNER_ONLY);
            Journal journal = new Journal(file, lockChannel, lock, channel);
            if (fresh) {
                channel.truncate(0);
                channel.write(header(), 0);
                channel.force(true);
            } else {
                journal.replay();
            }
            channel.position(channel.size());
            journal.written = channel.size();
            return journal;
        } catch (IOException | RuntimeException e) {
            lock.release();
            lockChannel.close();
            throw e;
        }
    }

    private static ByteBuffer header() {
        return ByteBuffer.allocate(8).putInt(MAGIC).putInt(VERSION).flip();
    }

    private void replay() throws IOException {
        long good;
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
            if (in.readInt() != MAGIC) {
                throw new IOException(file + " is not a journal of the offer bridge: move it away or set another"
                        + " heddle.bridge.state.dir");
            }
            int version = in.readInt();
            if (version != VERSION) {
                throw new IOException(file + " has format version " + version + ", this bridge reads " + VERSION
                        + ": start the bridge that wrote it, and drain its frameworks");
            }
            good = 8;
            long size = Files.size(file);
            while (good < size) {
                byte @Nullable [] body = readBatch(in, good, size);
                if (body == null) {
                    break;
                }
                apply(body);
                good += 8L + body.length;
            }
            if (good < size) {
                LOG.warn("{}: cut off {} bytes of a batch that a crash left unfinished", file, size - good);
                channel.truncate(good);
                channel.force(true);
            }
        }
    }

    private byte @Nullable [] readBatch(DataInputStream in, long position, long size) throws IOException {
        try {
            int length = in.readInt();
            int crc = in.readInt();
            if (length < 0 || length > LARGEST_BATCH || position + 8L + length > size) {
                return null;
            }
            byte[] body = in.readNBytes(length);
            if (body.length == length && crc(body) == crc) {
                return body;
            }
            if (position + 8L + length < size) {
                throw new IOException(file + ": the batch at byte " + position + " is damaged and others follow it:"
                        + " restore the file from a copy");
            }
            return null;
        } catch (EOFException e) {
            return null;
        }
    }

    private void apply(byte[] body) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(body))) {
            int entries = in.readInt();
            for (int i = 0; i < entries; i++) {
                String name = in.readUTF();
                int length = in.readInt();
                remember(name, length < 0 ? null : in.readNBytes(length));
            }
        }
    }

    private void remember(String name, byte @Nullable [] bytes) {
        byte[] before = bytes == null ? live.remove(name) : live.put(name, bytes);
        liveBytes += bytes == null ? 0 : bytes.length + name.length() + 8L;
        liveBytes -= before == null ? 0 : before.length + name.length() + 8L;
    }

    /** All current entries, ordered by name. */
    public Map<String, byte[]> live() {
        return Collections.unmodifiableMap(live);
    }

    /**
     * Writes one batch; null removes an entry.
     *
     * @param durable whether to return only when the batch is on the disk
     */
    public void commit(Map<String, byte @Nullable []> batch, boolean durable) throws IOException {
        if (!batch.isEmpty()) {
            write(channel, body(batch));
            batch.forEach(this::remember);
        }
        if (durable) {
            channel.force(false);
        }
        if (written > COMPACT_AFTER && written > 4 * liveBytes) {
            compact();
        }
    }

    private static byte[] body(Map<String, ? extends byte @Nullable []> batch) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(batch.size());
        for (Map.Entry<String, ? extends byte @Nullable []> entry : batch.entrySet()) {
            out.writeUTF(entry.getKey());
            byte[] value = entry.getValue();
            if (value == null) {
                out.writeInt(-1);
            } else {
                out.writeInt(value.length);
                out.write(value);
            }
        }
        return bytes.toByteArray();
    }

    private void write(FileChannel to, byte[] body) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(8 + body.length);
        buffer.putInt(body.length).putInt(crc(body)).put(body).flip();
        while (buffer.hasRemaining()) {
            written += to.write(buffer);
        }
    }

    private static int crc(byte[] body) {
        CRC32C crc = new CRC32C();
        crc.update(body, 0, body.length);
        return (int) crc.getValue();
    }

    private void compact() throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.deleteIfExists(next);
        FileChannel fresh =
                FileChannel.open(next, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OWNER_ONLY);
        written = 8;
        fresh.write(header());
        write(fresh, body(live));
        fresh.force(true);
        AtomicFile.replace(file, next);
        channel.close();
        channel = fresh;
    }

    @Override
    public void close() throws IOException {
        channel.close();
        lock.release();
        lockChannel.close();
    }
}
