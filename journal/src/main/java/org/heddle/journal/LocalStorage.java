// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.heddle.settings.file.AtomicFile;
import org.jspecify.annotations.Nullable;

/**
 * A directory of this machine, or of several machines on NFS. Each leader locks the file {@code lock}, and replaces the
 * file {@code epoch}, which contains its number and a random text. It reads that file again after each sync, before it
 * acknowledges: so an old leader either wrote before the new one read the log, or sees that it is fenced.
 */
public final class LocalStorage implements LogStorage {
    private static final String EPOCH = "epoch";
    /** The files may hold credentials. */
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path directory;
    private final boolean locked;
    private final LogPoint.Watcher watcher;
    private @Nullable FileChannel lockFile;
    private String mark = "";
    /**
     * A mark whose draft was being renamed when that failed: whether it is in the file is not known; empty if there is
     * none.
     */
    private String drafted = "";

    public LocalStorage(Path directory) {
        this(directory, true, LogPoint.Watcher.NONE);
    }

    /** @param locked false leaves out the lock, for tests of the fencing */
    public LocalStorage(Path directory, boolean locked, LogPoint.Watcher watcher) {
        this.directory = directory;
        this.locked = locked;
        this.watcher = watcher;
    }

    @Override
    public String place() {
        return directory.toString();
    }

    /**
     * Creates and locks the directory; {@link #claim} does it, too.
     *
     * @throws InUseException if another process has locked it
     */
    public void lock() throws IOException {
        createDirectory();
        if (!locked || lockFile != null) {
            return;
        }
        FileChannel channel = with(
                () -> FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE));
        if (!isLocked(channel)) {
            channel.close();
            throw new InUseException(
                    directory + " is in use by another process; stop it, or use another directory for this one");
        }
        lockFile = channel;
    }

    /** Does what writes, and makes a sentence of a full disk. */
    private <T> T with(FullDisk.Work<T> work) throws IOException {
        return FullDisk.noticed(directory, work);
    }

    /**
     * The same; deletes a file that is not complete: it would take room on a full disk, and the next attempt makes
     * another one.
     */
    private <T> T with(Path unfinished, FullDisk.Work<T> work) throws IOException {
        return with(() -> {
            try {
                return work.run();
            } catch (IOException e) {
                try {
                    Files.deleteIfExists(unfinished);
                } catch (IOException left) {
                    e.addSuppressed(left);
                }
                throw e;
            }
        });
    }

    private void createDirectory() throws IOException {
        try {
            with(() -> Files.createDirectories(directory));
        } catch (UnavailableException e) {
            throw e;
        } catch (IOException e) {
            throw cannotBeCreated(e);
        }
    }

    private IOException cannotBeCreated(IOException cause) {
        return new IOException(
                "the directory " + directory + " cannot be created: " + cause + "; name another one or create it",
                cause);
    }

    /** Locks a file until the channel is closed. @return whether no other process has locked it */
    static boolean isLocked(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock(); // ends when the channel is closed
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    @Override
    public long claim(long last) throws IOException {
        lock();
        long epoch = Math.max(last, number(readMark())) + 1;
        String unique = UUID.randomUUID().toString();
        Path draft = directory.resolve(EPOCH + "." + unique + ".new"); // another process may become the leader now
        String next = epoch + " " + unique;
        with(draft, () -> {
            write(draft, (next + "\n").getBytes(StandardCharsets.UTF_8), LogPoint.LEAD_WRITTEN);
            watcher.at(LogPoint.LEAD_SYNCED);
            drafted = next;
            AtomicFile.replace(directory.resolve(EPOCH), draft);
            watcher.at(LogPoint.LEAD_RENAMED);
            return next;
        });
        mark = next;
        drafted = "";
        return epoch;
    }

    private String readMark() throws IOException {
        try {
            return Files.readString(directory.resolve(EPOCH)).trim();
        } catch (NoSuchFileException e) {
            return "0 (the file " + EPOCH + " is not there)";
        } catch (CharacterCodingException e) {
            throw namesNoLeader(e);
        }
    }

    private long number(String text) throws IOException {
        try {
            return Long.parseLong(text.split(" ", -1)[0]);
        } catch (NumberFormatException e) {
            throw namesNoLeader(e);
        }
    }

    private IOException namesNoLeader(Exception cause) {
        return new IOException(
                directory.resolve(EPOCH)
                        + " does not name a leader; restore it from a copy of the directory, or delete it while no"
                        + " process uses the directory",
                cause);
    }

    @Override
    public void checkLeads() throws IOException {
        String now = readMark();
        if (!now.equals(mark) && !now.equals(drafted)) {
            throw new FencedException(directory + " has another leader now (" + now + "); this process was leader "
                    + number(mark) + " and cannot write any more");
        }
    }

    @Override
    public boolean checksEachSync() {
        return true;
    }

    /** An old leader is kept out by {@link #checkLeads}; but its last record may be in this machine's memory only. */
    @Override
    public void seal(String name) throws IOException {
        try (FileChannel file = FileChannel.open(directory.resolve(name), StandardOpenOption.READ)) {
            with(() -> force(file));
        } catch (NoSuchFileException e) {
            // Deleted by the leader before, which stored nothing in it.
        }
    }

    @Override
    public List<StoredFile> list() throws IOException {
        List<Path> paths;
        try (Stream<Path> all = Files.list(directory)) {
            paths = all.filter(Files::isRegularFile).sorted().collect(Collectors.toList());
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (NotDirectoryException e) {
            throw cannotBeCreated(e);
        }
        List<StoredFile> files = new ArrayList<>();
        for (Path path : paths) {
            try {
                files.add(new StoredFile(
                        String.valueOf(path.getFileName()),
                        Files.getLastModifiedTime(path).toMillis()));
            } catch (NoSuchFileException e) {
                // Deleted by the leader meanwhile.
            }
        }
        return files;
    }

    @Override
    public InputStream read(String name) throws IOException {
        return Files.newInputStream(directory.resolve(name));
    }

    @Override
    public Output create(String name, byte[] start) throws IOException {
        Path file = directory.resolve(name);
        Output created = with(() -> open(file));
        return with(file, () -> {
            try {
                syncDirectory();
                watcher.at(LogPoint.SEGMENT_CREATED);
                created.write(start, 0, start.length);
                created.sync();
                return created;
            } catch (IOException | RuntimeException e) {
                created.close();
                throw e;
            }
        });
    }

    @Override
    public boolean repairsItself() {
        return false;
    }

    private Output open(Path file) throws IOException {
        FileChannel channel =
                FileChannel.open(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OWNER_ONLY);
        return new Output() {
            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                ByteBuffer left = ByteBuffer.wrap(bytes, from, length);
                with(() -> {
                    while (left.hasRemaining()) {
                        channel.write(left);
                    }
                    return left;
                });
            }

            @Override
            public void sync() throws IOException {
                with(() -> force(channel));
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }

    private static FileChannel force(FileChannel file) throws IOException {
        file.force(false);
        return file;
    }

    private void write(Path draft, byte[] content, LogPoint written) throws IOException {
        try (Output out = open(draft)) {
            out.write(content, 0, content.length);
            watcher.at(written);
            out.sync();
        }
    }

    private void syncDirectory() throws IOException {
        try (FileChannel itself = FileChannel.open(directory, StandardOpenOption.READ)) {
            itself.force(true);
        }
    }

    @Override
    public boolean putIfAbsent(String name, byte[] content) throws IOException {
        Path file = directory.resolve(name);
        Path draft = directory.resolve(name + "." + UUID.randomUUID() + ".new");
        createDirectory();
        return with(draft, () -> {
            write(draft, content, LogPoint.SNAPSHOT_WRITTEN);
            watcher.at(LogPoint.SNAPSHOT_SYNCED);
            boolean absent = moveIfAbsent(draft, file);
            watcher.at(LogPoint.SNAPSHOT_RENAMED);
            return absent;
        });
    }

    private boolean moveIfAbsent(Path draft, Path file) throws IOException {
        try {
            Files.createLink(file, draft);
            Files.delete(draft); // renaming one link of a file to another one does nothing
            syncDirectory();
            return true;
        } catch (FileAlreadyExistsException e) {
            Files.delete(draft);
            return false;
        } catch (UnsupportedOperationException e) {
            boolean absent = !Files.exists(file);
            AtomicFile.replace(file, draft);
            return absent;
        }
    }

    @Override
    public boolean rename(String from, String to) throws IOException {
        return with(() -> {
            try {
                Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
                return true;
            } catch (NoSuchFileException e) {
                return false;
            }
        });
    }

    @Override
    public void soon(Runnable work) {
        work.run();
    }

    @Override
    public void delete(String name) throws IOException {
        Files.delete(directory.resolve(name));
    }

    @Override
    public LogPoint.Watcher watcher() {
        return watcher;
    }

    /** Ends the lock. */
    @Override
    public void close() throws IOException {
        if (lockFile != null) {
            lockFile.close();
            lockFile = null;
        }
    }
}
