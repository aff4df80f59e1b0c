// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.journal;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.heddle.market.ledger.book.EpochRecord;
import org.heddle.market.ledger.book.FailPoint;
import org.heddle.market.ledger.book.LedgerException;
import org.heddle.market.ledger.book.LedgerState;
import org.heddle.market.ledger.book.LedgerStateCodec;
import org.heddle.market.ledger.book.LedgerStore;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.ledger.book.TransactionCodec;
import org.heddle.market.ledger.query.Statements;
import org.heddle.market.model.change.AuditEntry;
import org.heddle.market.model.change.StatementLine;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The books in a directory, without any other software: an append-only journal, synced before anything is acknowledged,
 * and snapshots that save reading it from the start.
 *
 * <pre>
 * lock                          held while a process has the lead
 * leader                        how many leaders there have been; written anew by each
 * journal-FENCE-FIRST           one leader's transactions from number FIRST on
 * snapshot-LAST                 the book after transaction LAST
 * </pre>
 *
 * <p>Long because all that touches these files is here: whether they agree cannot be seen from two places.
 *
 * <p><b>Fencing.</b> A leader raises {@code leader} before it reads the journal, and looks at it after each sync before it
 * acknowledges. So a leader that was thought dead either wrote before the new one read, or sees that it is fenced and
 * acknowledges nothing; what it wrote then lies behind the first number of its successor's journal and is not read. The
 * file lock comes before that and keeps an honest second process out at once.
 */
public final class JournalStore implements LedgerStore {
    private static final Logger LOG = LoggerFactory.getLogger(JournalStore.class);
    static final int VERSION = 1;
    private static final String JOURNAL_MAGIC = "heddle-market-journal";
    private static final String SNAPSHOT_MAGIC = "heddle-market-snapshot";
    private static final String LEADER_MAGIC = "heddle-market-leader";
    private static final long SEGMENT_BYTES = 64L << 20;
    private static final int SNAPSHOT_AFTER = 10_000;
    private static final int KEPT_SNAPSHOTS = 2;

    private final Path directory;
    private final String clusterId;
    private final boolean locked;
    private final FailPoint.Watcher watcher;
    private @Nullable FileChannel lockFile;
    private @Nullable FileLock lock;
    private @Nullable FileChannel segment;
    private long segmentBytes;
    private long fence;
    /** What the file {@code leader} says while this one leads. */
    private String mark = "";

    private long lastStored;
    /** What has been written, so that snapshots can be made without asking anybody. */
    private LedgerState book = new LedgerState();

    private int sinceSnapshot;
    private int snapshotAfter = SNAPSHOT_AFTER;
    private Duration keep = Duration.ZERO;
    private LongSupplier wallMillis = () -> 0;

    /**
     * @param directory made if it is not there
     * @param clusterId books of another cluster are refused
     */
    public JournalStore(Path directory, String clusterId) {
        this(directory, clusterId, true, FailPoint.Watcher.NONE);
    }

    public JournalStore(Path directory, String clusterId, boolean locked, FailPoint.Watcher watcher) {
        this.directory = directory;
        this.clusterId = clusterId;
        this.locked = locked;
        this.watcher = watcher;
    }

    /**
     * Has files dropped that hold nothing but transactions older than a time; to be called before {@link #lead}.
     *
     * @param time zero for never
     * @param clock wall clock, milliseconds since 1970
     */
    public JournalStore keeping(Duration time, LongSupplier clock) {
        keep = time;
        wallMillis = clock;
        return this;
    }

    /** Begins a new file after so many transactions; for tests. */
    public JournalStore rollingAfter(int transactions) {
        snapshotAfter = transactions;
        return this;
    }

    @Override
    public String place() {
        return directory.toString();
    }

    // ---- leading ----

    @Override
    public LedgerState lead() throws IOException {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new IOException(
                    "the directory " + directory + " of the books cannot be made: " + e
                            + "; name another one or make it by hand",
                    e);
        }
        takeLock();
        watcher.at(FailPoint.BEFORE_LEAD);
        fence = readFence() + 1;
        writeFence();
        book = read(transaction -> {});
        lastStored = book.sequence();
        openSegment();
        return book.copy();
    }

    private void takeLock() throws IOException {
        if (!locked) {
            return;
        }
        FileChannel channel =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            channel.close();
            throw new IOException("the books in " + directory
                    + " are in use by another process; stop it, or give this ResourceManager another directory");
        }
        lockFile = channel;
    }

    private long readFence() throws IOException {
        Path file = directory.resolve("leader");
        List<String> words;
        try {
            words = List.of(Files.readString(file).trim().split(" ", -1));
        } catch (NoSuchFileException e) {
            return 0;
        }
        if (words.size() != 5 || !words.get(0).equals(LEADER_MAGIC)) {
            throw new IOException(file + " does not name a leader; restore it from a backup");
        }
        checkVersion(file, words.get(1));
        checkCluster(file, words.get(2));
        try {
            return Long.parseLong(words.get(3));
        } catch (NumberFormatException e) {
            throw new IOException(file + " names no number of leaders; restore it from a backup", e);
        }
    }

    private void checkVersion(Path file, String version) throws IOException {
        if (!version.equals(String.valueOf(VERSION))) {
            throw new IOException(file + " has format version " + version + ", and this Heddle reads version " + VERSION
                    + "; run the Heddle that wrote it");
        }
    }

    private void checkCluster(Path file, String cluster) throws IOException {
        if (!cluster.equals(clusterId)) {
            throw new IOException(file + " belongs to cluster " + cluster + ", not to " + clusterId
                    + "; name that cluster's own directory");
        }
    }

    private void writeFence() throws IOException {
        String unique = UUID.randomUUID().toString();
        Path draft = directory.resolve("leader." + unique + ".new"); // another one may take the lead at this moment
        mark = String.join(" ", LEADER_MAGIC, String.valueOf(VERSION), clusterId, String.valueOf(fence), unique);
        byte[] text = (mark + "\n").getBytes(StandardCharsets.UTF_8);
        replace(
                draft,
                directory.resolve("leader"),
                text,
                FailPoint.LEAD_WRITTEN,
                FailPoint.LEAD_SYNCED,
                FailPoint.LEAD_RENAMED);
    }

    private void replace(Path draft, Path file, byte[] content, FailPoint written, FailPoint synced, FailPoint done)
            throws IOException {
        try (FileChannel out = FileChannel.open(
                draft, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            writeFully(out, ByteBuffer.wrap(content));
            watcher.at(written);
            out.force(true);
        }
        watcher.at(synced);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        syncDirectory();
        watcher.at(done);
    }

    private void syncDirectory() throws IOException {
        try (FileChannel itself = FileChannel.open(directory, StandardOpenOption.READ)) {
            itself.force(true);
        }
    }

    private static void writeFully(FileChannel out, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
    }

    private void openSegment() throws IOException {
        Path file = directory.resolve("journal-%010d-%019d".formatted(fence, lastStored + 1));
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        RecordFrames.add(head, out -> {
            TransactionCodec.text(out, JOURNAL_MAGIC);
            out.writeInt(VERSION);
            TransactionCodec.text(out, clusterId);
            out.writeLong(fence);
            out.writeLong(lastStored + 1);
        });
        FileChannel created = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        FileChannel before = segment;
        segment = created;
        if (before != null) {
            before.close();
        }
        watcher.at(FailPoint.SEGMENT_CREATED);
        writeFully(created, ByteBuffer.wrap(head.toByteArray()));
        created.force(true);
        syncDirectory();
        segmentBytes = head.size();
        watcher.at(FailPoint.SEGMENT_HEADED);
    }

    // ---- writing ----

    @Override
    public void append(List<Transaction> batch) throws IOException {
        FileChannel out = segment;
        if (out == null) {
            throw new IOException("the journal in " + directory + " is not open");
        }
        ByteArrayOutputStream buffer = new ByteArrayOutputStream();
        for (Transaction transaction : batch) {
            RecordFrames.add(buffer, to -> TransactionCodec.write(transaction, to));
        }
        ByteBuffer bytes = ByteBuffer.wrap(buffer.toByteArray());
        watcher.at(FailPoint.BEFORE_WRITE);
        if (watcher != FailPoint.Watcher.NONE) {
            writeFully(out, bytes.slice(0, bytes.limit() / 2));
            bytes.position(bytes.limit() / 2);
            watcher.at(FailPoint.HALF_WRITTEN);
        }
        writeFully(out, bytes);
        watcher.at(FailPoint.WRITTEN);
        out.force(false);
        watcher.at(FailPoint.SYNCED);
        checkFence();
        watcher.at(FailPoint.CHECKED);
        batch.forEach(book::apply);
        lastStored = book.sequence();
        segmentBytes += bytes.limit();
        sinceSnapshot += batch.size();
        if (segmentBytes > SEGMENT_BYTES || sinceSnapshot >= snapshotAfter) {
            roll();
        }
    }

    /** Begins a new file, so that what is before it need not be read again, and in time not be kept. */
    void roll() throws IOException {
        snapshot();
        openSegment();
        try {
            prune();
        } catch (IOException e) {
            LOG.warn("Old books in {} could not be deleted; delete them by hand: {}", directory, e.getMessage());
        }
    }

    /**
     * Deletes what is too old, oldest first, so that whatever it is cut off at there is no gap. The last two snapshots and
     * all that came after the first of them stay, so that a damaged snapshot can be done without.
     */
    private void prune() throws IOException {
        List<Path> snapshots = files("snapshot");
        if (keep.isZero() || snapshots.size() < KEPT_SNAPSHOTS) {
            return;
        }
        List<Path> old = snapshots.subList(0, snapshots.size() - KEPT_SNAPSHOTS);
        String needed =
                String.valueOf(snapshots.get(snapshots.size() - KEPT_SNAPSHOTS).getFileName());
        long from = Long.parseLong(needed.substring(needed.indexOf('-') + 1)) + 1;
        for (Path snapshot : old) {
            Files.delete(snapshot);
        }
        long oldest = wallMillis.getAsLong() - keep.toMillis();
        List<Segment> segments = segments();
        for (int i = 0; i + 1 < segments.size() && segments.get(i + 1).first() <= from; i++) {
            Path file = segments.get(i).file();
            if (Files.getLastModifiedTime(file).toMillis() >= oldest) {
                break;
            }
            Files.delete(file);
            watcher.at(FailPoint.PRUNED);
        }
    }

    private void checkFence() throws IOException {
        String now = Files.readString(directory.resolve("leader")).trim();
        if (!now.equals(mark)) {
            throw new FencedException("the books in " + directory + " have another leader by now (" + now
                    + "); this was leader " + fence + " and writes no more");
        }
    }

    /** Writes the whole book; the journal before it is still there for statements and the audit. */
    void snapshot() throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        RecordFrames.add(content, out -> {
            TransactionCodec.text(out, SNAPSHOT_MAGIC);
            out.writeInt(VERSION);
            TransactionCodec.text(out, clusterId);
        });
        RecordFrames.add(content, out -> LedgerStateCodec.write(book, out));
        replace(
                directory.resolve("snapshot.new"),
                directory.resolve("snapshot-%019d".formatted(book.sequence())),
                content.toByteArray(),
                FailPoint.SNAPSHOT_WRITTEN,
                FailPoint.SNAPSHOT_SYNCED,
                FailPoint.SNAPSHOT_RENAMED);
        sinceSnapshot = 0;
    }

    @Override
    public long lastSequence() throws IOException {
        checkFence();
        book = read(transaction -> {});
        lastStored = book.sequence();
        fence++;
        writeFence();
        openSegment();
        return lastStored;
    }

    // ---- reading ----

    /** One file of the journal and the number of its first transaction. */
    private record Segment(Path file, long fence, long first) {}

    private List<Path> files(String prefix) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(file -> String.valueOf(file.getFileName()).matches(prefix + "-[0-9-]+"))
                    .sorted()
                    .toList();
        }
    }

    private List<Segment> segments() throws IOException {
        List<Segment> segments = new ArrayList<>();
        for (Path file : files("journal")) {
            String[] parts = String.valueOf(file.getFileName()).split("-", -1);
            segments.add(new Segment(file, Long.parseLong(parts[1]), Long.parseLong(parts[2])));
        }
        return segments;
    }

    /** The book as it is stored: the newest snapshot that can be read, and the journal after it. */
    private LedgerState read(Consumer<Transaction> to) throws IOException {
        LedgerState state = new LedgerState();
        List<Path> snapshots = files("snapshot");
        for (int i = snapshots.size() - 1; i >= 0 && state.sequence() == 0; i--) {
            state = readSnapshot(snapshots.get(i));
        }
        LedgerState started = state;
        try {
            scan(started.sequence(), transaction -> {
                started.apply(transaction);
                to.accept(transaction);
                return true;
            });
            started.check();
        } catch (LedgerException e) {
            throw new IOException(
                    "the books in " + directory + " are damaged: " + e.getMessage() + "; restore them from a backup",
                    e);
        }
        return started;
    }

    private LedgerState readSnapshot(Path file) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            DataInputStream head = RecordFrames.next(in);
            if (head == null || !TransactionCodec.text(head).equals(SNAPSHOT_MAGIC)) {
                return new LedgerState();
            }
            checkVersion(file, String.valueOf(head.readInt()));
            checkCluster(file, TransactionCodec.text(head));
            DataInputStream content = RecordFrames.next(in);
            return content == null ? new LedgerState() : LedgerStateCodec.read(content);
        }
    }

    /**
     * Shows stored transactions in order, until told to stop.
     *
     * @param after only those with a larger number
     */
    private void scan(long after, Predicate<Transaction> to) throws IOException {
        List<Segment> segments = segments();
        long last = after;
        for (int i = 0; i < segments.size(); i++) {
            long end = i + 1 < segments.size() ? segments.get(i + 1).first() : Long.MAX_VALUE;
            if (end <= after + 1) {
                continue;
            }
            if (segments.get(i).first() > last + 1) {
                throw new IOException("transactions " + (last + 1) + " to "
                        + (segments.get(i).first() - 1) + " are missing before "
                        + segments.get(i).file() + "; restore them from a backup");
            }
            last = scan(segments.get(i), last, end, to);
            if (last < 0) {
                return;
            }
        }
    }

    /** The number of the last transaction shown; -1 if told to stop. */
    private long scan(Segment from, long after, long end, Predicate<Transaction> to) throws IOException {
        long last = after;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(from.file()), 1 << 16)) {
            DataInputStream head = RecordFrames.next(in);
            if (head == null) {
                return last; // its leader died before it could write anything
            }
            if (!TransactionCodec.text(head).equals(JOURNAL_MAGIC)) {
                throw new IOException(from.file() + " is not a journal; move it away");
            }
            checkVersion(from.file(), String.valueOf(head.readInt()));
            checkCluster(from.file(), TransactionCodec.text(head));
            for (DataInputStream record = RecordFrames.next(in); record != null; record = RecordFrames.next(in)) {
                Transaction transaction = TransactionCodec.read(record);
                if (transaction.sequence() >= end) {
                    return last; // written by a leader that had been fenced
                }
                if (transaction.sequence() > last) {
                    if (!to.test(transaction)) {
                        return -1;
                    }
                    last = transaction.sequence();
                }
            }
        }
        return last;
    }

    @Override
    public void epochs(long fromMillis, Consumer<EpochRecord> to) throws IOException {
        scan(beforeTime(fromMillis), transaction -> {
            EpochRecord epoch = transaction.epoch();
            if (epoch != null && epoch.startMillis() >= fromMillis) {
                to.accept(epoch);
            }
            return true;
        });
    }

    /** A transaction number so early that nothing from a time on is after it: files are written in order of time. */
    private long beforeTime(long fromMillis) throws IOException {
        long before = 0;
        for (Segment segment : segments()) {
            if (Files.getLastModifiedTime(segment.file()).toMillis() >= fromMillis) {
                break;
            }
            before = segment.first() - 1;
        }
        return Math.max(before, firstKept() - 1);
    }

    private long firstKept() throws IOException {
        List<Segment> segments = segments();
        return segments.isEmpty() ? 1 : segments.get(0).first();
    }

    @Override
    public List<AuditEntry> audit(long after, int most) throws IOException {
        List<AuditEntry> entries = new ArrayList<>();
        scan(firstKept() - 1, transaction -> {
            AuditEntry entry = transaction.audit();
            if (entry != null && entry.sequence() > after && entries.size() < most) {
                entries.add(entry);
            }
            return entries.size() < most;
        });
        return entries;
    }

    @Override
    public List<StatementLine> statement(String queue, long fromMillis, long toMillis, long after, int most)
            throws IOException {
        List<StatementLine> lines = new ArrayList<>();
        scan(Math.max(after, beforeTime(fromMillis)), transaction -> {
            if (transaction.atMillis() >= fromMillis && transaction.atMillis() < toMillis) {
                for (Statements.Entry entry : Statements.of(transaction)) {
                    if (entry.queue().equals(queue)) {
                        lines.add(entry.line());
                    }
                }
            }
            return lines.size() < most && transaction.atMillis() < toMillis;
        });
        return lines;
    }

    @Override
    public void close() throws IOException {
        try {
            if (segment != null) {
                segment.close();
                segment = null;
            }
        } finally {
            if (lock != null) {
                lock.release();
                lock = null;
            }
            if (lockFile != null) {
                lockFile.close();
                lockFile = null;
            }
        }
    }
}
