// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records with numbers from 1 on, which are on disks when {@link #append} returns, and snapshots, so that a start need
 * not read all records.
 *
 * <pre>
 * log-EPOCH-FIRST   one leader's records from number FIRST on
 * state-LAST        the state after record LAST
 * acknowledged-..   how many records were acknowledged, at least
 *
 * open -> append, append, ... -> close
 *           | IOException: the result of these records is unknown
 *           v
 *         open again -> the number of the last stored record
 *           | FencedException: another process leads
 * </pre>
 *
 * A leader claims the storage before it reads, seals the files of earlier leaders, and writes a file of its own. The
 * late records of an earlier leader have numbers from the start of the next leader's file on, and are not read. An
 * incomplete end of a file is left out; a synced record that is damaged is an error, and so is an acknowledged one that
 * is missing.
 *
 * <p>Any thread may append: records of several threads share one write and one sync. Any thread may read.
 */
public final class WriteAheadLog implements Closeable {
    /** Gets the stored state when a log is opened. */
    public interface Replay {
        /** The state after a number of records; called first, if there is a snapshot. */
        void snapshot(long number, byte[] state) throws IOException;

        void record(long number, byte[] body) throws IOException;
    }

    /** Gets records in order. */
    @FunctionalInterface
    public interface Visitor {
        /** @return whether it wants more */
        boolean record(long number, byte[] body) throws IOException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(WriteAheadLog.class);
    private static final int KEPT_SNAPSHOTS = 2;

    private final LogStorage storage;
    private final String owner;
    private final LogFiles files;
    private final AcknowledgedNote note;
    private final LongPredicate mayDelete;
    private final LogPoint.Watcher watcher;
    private final Object queue = new Object();
    private final Object writing = new Object();

    @GuardedBy("queue")
    private @Nullable Group forming;

    @GuardedBy("writing")
    private LogStorage.@Nullable Output segment;

    /** The number of the first record in the file. */
    @GuardedBy("writing")
    private long segmentFirst;

    @GuardedBy("writing")
    private long epoch;

    /** Written with {@code writing} held. */
    private volatile long last;

    @GuardedBy("writing")
    private long synced;

    @GuardedBy("writing")
    private long bytes;

    /** Records of several threads, which one of them writes. */
    private static final class Group {
        private final List<byte[]> bodies = new ArrayList<>();
        private boolean sync;
        private boolean done;
        private long last;
        private @Nullable Throwable failure;
    }

    /**
     * @param owner to whom the log belongs, for people; the log of another owner is refused
     * @param mayDelete whether a file that no start needs may be deleted, by the epoch milliseconds of its last change
     */
    public WriteAheadLog(LogStorage storage, String owner, LongPredicate mayDelete) {
        this.storage = storage;
        this.owner = owner;
        this.mayDelete = mayDelete;
        this.files = new LogFiles(storage, owner);
        this.note = new AcknowledgedNote(storage);
        this.watcher = storage.watcher();
    }

    /**
     * Becomes the leader and reads the log; called again after a failure.
     *
     * @return the number of the last record
     * @throws InUseException if another process has locked it
     * @throws FencedException if this log was open and another process leads now
     * @throws UnavailableException if the storage does not answer, but may do so later
     * @throws IOException one sentence: unavailable, of another owner or version, damaged, or without records that were
     *     acknowledged
     */
    public long open(Replay replay) throws IOException {
        synchronized (writing) {
            if (epoch > 0) {
                storage.checkLeads();
                closeSegment();
            }
            try {
                lead(replay);
                files.deleteLeftovers();
            } catch (IOException | RuntimeException e) {
                closeSegment(); // so that nobody writes into a log whose opening failed
                throw e;
            }
            return last;
        }
    }

    @GuardedBy("writing")
    private void lead(Replay replay) throws IOException {
        watcher.at(LogPoint.BEFORE_LEAD);
        if (files.isNew()) {
            AcknowledgedNote.create(storage); // before the first claim, so that a log without a note has lost it
        }
        epoch = storage.claim(files.lastEpoch());
        for (LogFiles.Segment old : files.segments()) {
            storage.seal(old.name());
        }
        last = files.read(replay);
        files.checkEnd(last);
        begin();
    }

    @GuardedBy("writing")
    private LogStorage.Output begin() throws IOException {
        byte[] start = Frames.start(owner, epoch, last + 1);
        note.begin(epoch, last);
        LogStorage.Output created;
        try {
            created = storage.create(LogFiles.segment(epoch, last + 1), start);
        } catch (FileAlreadyExistsException e) {
            throw new FencedException(
                    storage.place() + " got another leader at the same moment; this process cannot write");
        }
        closeSegment();
        segment = created;
        segmentFirst = last + 1;
        storage.checkLeads(); // a leader that comes later finds this file and seals it
        synced = last;
        bytes = start.length;
        watcher.at(LogPoint.SEGMENT_HEADED);
        return created;
    }

    /**
     * Writes records in order.
     *
     * @param sync whether to return only when they are on disks
     * @return the number of the last one
     * @throws FencedException if another process leads; it will not read these records
     * @throws IOException if the result is unknown: open the log again
     */
    public long append(List<byte[]> bodies, boolean sync) throws IOException {
        Group group;
        boolean first;
        int position;
        synchronized (queue) {
            first = forming == null;
            if (forming == null) {
                forming = new Group();
            }
            group = forming;
            group.bodies.addAll(bodies);
            group.sync |= sync;
            position = group.bodies.size();
        }
        if (first) {
            writeForming(group);
        }
        synchronized (group) {
            try {
                while (!group.done) {
                    group.wait();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while " + storage.place() + " was written", e);
            }
        }
        Throwable failure = group.failure;
        if (failure instanceof FencedException) {
            throw (FencedException) failure;
        }
        if (failure instanceof UnavailableException) {
            throw new UnavailableException(String.valueOf(failure.getMessage()), failure);
        }
        if (failure != null) {
            throw new IOException(failure.getMessage(), failure);
        }
        return group.last - (group.bodies.size() - position);
    }

    private void writeForming(Group group) throws IOException {
        synchronized (writing) {
            synchronized (queue) {
                forming = null;
            }
            try {
                write(group.bodies, group.sync);
                group.last = last;
            } catch (IOException e) {
                IOException failure = fencedOr(e);
                group.failure = failure;
                closeSegment();
                throw failure;
            } catch (RuntimeException e) {
                group.failure = e;
                closeSegment();
                throw e;
            } finally {
                synchronized (group) {
                    group.done = true;
                    group.notifyAll();
                }
            }
        }
    }

    @GuardedBy("writing")
    private void write(List<byte[]> bodies, boolean sync) throws IOException {
        LogStorage.Output out = segment;
        if (out == null) {
            throw new IOException("the log in " + storage.place() + " is not open");
        }
        long size = 0;
        for (byte[] body : bodies) {
            if (body.length > Frames.LARGEST) {
                throw new IOException("a record of " + body.length + " bytes is too large for the log in "
                        + storage.place() + "; the limit is " + Frames.LARGEST);
            }
            size += Frames.HEAD + body.length;
        }
        if (last >= segmentFirst && out.needsNewFile()) {
            out = replace(out);
        }
        byte[] content = new byte[Math.toIntExact(size)];
        long number = last;
        int end = 0;
        for (byte[] body : bodies) {
            end = Frames.put(content, end, ++number, synced, body);
        }
        watcher.at(LogPoint.BEFORE_WRITE);
        int half = watcher == LogPoint.Watcher.NONE ? 0 : content.length / 2;
        if (half > 0) {
            out.write(content, 0, half);
            watcher.at(LogPoint.HALF_WRITTEN);
        }
        out.write(content, half, content.length - half);
        watcher.at(LogPoint.WRITTEN);
        if (sync) {
            sync(out);
            synced = number;
            note.acknowledge(number);
        }
        last = number;
        bytes += size;
    }

    @GuardedBy("writing")
    private LogStorage.Output replace(LogStorage.Output worn) throws IOException {
        LOG.info("{}: the file that is open has lost copies; a new one begins", storage.place());
        long sinceSnapshot = bytes;
        sync(worn);
        segment = null;
        worn.close(); // only then its last block gets copies
        LogStorage.Output next = begin();
        bytes += sinceSnapshot;
        return next;
    }

    /** A storage that keeps an old leader out gives it any error. */
    private IOException fencedOr(IOException failure) {
        try {
            storage.checkLeads();
        } catch (FencedException e) {
            e.addSuppressed(failure);
            return e;
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
        return failure;
    }

    private void sync(LogStorage.Output out) throws IOException {
        out.sync();
        watcher.at(LogPoint.SYNCED);
        if (storage.checksEachSync()) {
            storage.checkLeads();
        }
        watcher.at(LogPoint.CHECKED);
    }

    /**
     * Stores the state after the last record, begins a new file, and deletes what is not needed any more. No thread may
     * append meanwhile.
     */
    public void snapshot(byte[] state) throws IOException {
        synchronized (writing) {
            LogStorage.Output out = segment;
            if (out == null) {
                throw new IOException("the log in " + storage.place() + " is not open");
            }
            try {
                sync(out);
                storage.putIfAbsent(LogFiles.snapshot(last), Frames.snapshot(owner, epoch, last, state));
                if (last >= segmentFirst) {
                    begin();
                }
            } catch (IOException e) {
                closeSegment();
                throw fencedOr(e);
            } catch (RuntimeException e) {
                closeSegment();
                throw e;
            }
            try {
                files.prune(KEPT_SNAPSHOTS, mayDelete);
            } catch (FencedException e) {
                throw e;
            } catch (IOException e) {
                LOG.warn("Old files in {} could not be deleted; delete them: {}", storage.place(), e.getMessage());
            }
        }
    }

    /** Bytes of records since the last snapshot or start. */
    public long size() {
        synchronized (writing) {
            return bytes;
        }
    }

    /** The number of the last record. */
    public long last() {
        return last;
    }

    /** Passes stored records with a larger number than {@code after}, until the visitor stops. */
    public void scan(long after, Visitor to) throws IOException {
        files.scan(after, last, to);
    }

    /** The number of a record after which all records of a time lie: files are written in order of time. */
    public long before(long millis) throws IOException {
        return files.before(millis);
    }

    @GuardedBy("writing")
    private void closeSegment() {
        LogStorage.Output old = segment;
        segment = null;
        if (old != null) {
            try {
                old.close();
            } catch (IOException e) {
                // All that was acknowledged has been synced.
                LOG.debug("A file of {} was not closed", storage.place(), e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        synchronized (writing) {
            closeSegment();
            note.close();
            storage.close();
        }
    }
}
