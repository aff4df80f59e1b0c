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
import org.heddle.market.ledger.query.ApplicationCosts;
import org.heddle.market.ledger.query.Statements;
import org.heddle.market.model.change.ApplicationCost;
import org.heddle.market.model.change.AuditEntry;
import org.heddle.market.model.change.StatementLine;
import org.heddle.settings.file.AtomicFile;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledger in a directory, without other software: an append-only journal, which is synced before a change is
 * acknowledged, and snapshots, so that a start need not read the whole journal.
 *
 * <pre>
 * lock                          locked while a process leads
 * leader                        number of leaders so far; each leader replaces the file
 * journal-FENCE-FIRST           one leader's transactions from number FIRST on
 * snapshot-LAST                 the state after transaction LAST
 * </pre>
 *
 * <p>Long because it is the only class that knows these files, and they must agree.
 *
 * <p><b>Fencing.</b> A leader increments {@code leader} before it reads the journal, and reads it again after each sync,
 * before it acknowledges. So an old leader either wrote before the new one read the journal, or sees that it is fenced and
 * acknowledges nothing; its late transactions have numbers after the start of the new leader's journal and are not read.
 * The file lock is an earlier check, which keeps a second process on the same machine out.
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
    /** Content of the file {@code leader} while this process leads. */
    private String mark = "";

    private long lastStored;
    /** The written state, for snapshots. */
    private LedgerState ledger = new LedgerState();

    private int sinceSnapshot;
    private int snapshotAfter = SNAPSHOT_AFTER;
    private Duration keep = Duration.ZERO;
    private LongSupplier wallMillis = () -> 0;

    /**
     * @param directory created if it does not exist
     * @param clusterId the ledger of another cluster is refused
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
     * Deletes files whose transactions are all older than a time; called before {@link #lead}.
     *
     * @param time zero for never
     * @param clock wall clock, milliseconds since 1970
     */
    public JournalStore keeping(Duration time, LongSupplier clock) {
        keep = time;
        wallMillis = clock;
        return this;
    }

    /** Begins a new file after a number of transactions; for tests. */
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
                    "the directory " + directory + " of the ledger cannot be created: " + e
                            + "; name another one or create it",
                    e);
        }
        takeLock();
        watcher.at(FailPoint.BEFORE_LEAD);
        fence = readFence() + 1;
        writeFence();
        ledger = read(transaction -> {});
        lastStored = ledger.sequence();
        openSegment();
        return ledger.copy();
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
            throw new IOException("the ledger in " + directory
                    + " is in use by another process; stop it, or give this ResourceManager another directory");
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
            throw new IOException(file + " has no leader number; restore it from a backup", e);
        }
    }

    private void checkVersion(Path file, String version) throws IOException {
        if (!version.equals(String.valueOf(VERSION))) {
            throw new IOException(file + " has format version " + version + ", and this Heddle reads version " + VERSION
                    + "; start the Heddle version that wrote it");
        }
    }

    private void checkCluster(Path file, String cluster) throws IOException {
        if (!cluster.equals(clusterId)) {
            throw new IOException(file + " belongs to cluster " + cluster + ", not to " + clusterId
                    + "; use a directory of this cluster");
        }
    }

    private void writeFence() throws IOException {
        String unique = UUID.randomUUID().toString();
        Path draft = directory.resolve("leader." + unique + ".new"); // another process may become the leader now
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
        AtomicFile.replace(file, draft);
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
        batch.forEach(ledger::apply);
        lastStored = ledger.sequence();
        segmentBytes += bytes.limit();
        sinceSnapshot += batch.size();
        if (segmentBytes > SEGMENT_BYTES || sinceSnapshot >= snapshotAfter) {
            roll();
        }
    }

    /** Begins a new file, so that older files need not be read again and can be deleted later. */
    void roll() throws IOException {
        snapshot();
        openSegment();
        try {
            prune();
        } catch (IOException e) {
            LOG.warn("Old files in {} could not be deleted; delete them: {}", directory, e.getMessage());
        }
    }

    /**
     * Deletes old files, oldest first, so that an interruption leaves no gap. The last two snapshots and all files
     * after the first of them stay, so that one damaged snapshot does no harm.
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
            throw new FencedException("the ledger in " + directory + " has another leader now (" + now
                    + "); this process was leader " + fence + " and cannot write any more");
        }
    }

    /** Writes the whole state; the journal before it stays for statements and the audit. */
    void snapshot() throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        RecordFrames.add(content, out -> {
            TransactionCodec.text(out, SNAPSHOT_MAGIC);
            out.writeInt(VERSION);
            TransactionCodec.text(out, clusterId);
        });
        RecordFrames.add(content, out -> LedgerStateCodec.write(ledger, out));
        replace(
                directory.resolve("snapshot.new"),
                directory.resolve("snapshot-%019d".formatted(ledger.sequence())),
                content.toByteArray(),
                FailPoint.SNAPSHOT_WRITTEN,
                FailPoint.SNAPSHOT_SYNCED,
                FailPoint.SNAPSHOT_RENAMED);
        sinceSnapshot = 0;
    }

    @Override
    public long lastSequence() throws IOException {
        checkFence();
        ledger = read(transaction -> {});
        lastStored = ledger.sequence();
        fence++;
        writeFence();
        openSegment();
        return lastStored;
    }

    // ---- reading ----

    /** A journal file and the number of its first transaction. */
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

    /** The stored state: the newest readable snapshot, and the journal after it. */
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
                    "the ledger in " + directory + " is damaged: " + e.getMessage() + "; restore it from a backup", e);
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
     * Passes stored transactions in order, until the receiver stops.
     *
     * @param after only transactions with a larger number
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

    /** The number of the last passed transaction; -1 if the receiver stopped. */
    private long scan(Segment from, long after, long end, Predicate<Transaction> to) throws IOException {
        long last = after;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(from.file()), 1 << 16)) {
            DataInputStream head = RecordFrames.next(in);
            if (head == null) {
                return last; // its leader died before its first write
            }
            if (!TransactionCodec.text(head).equals(JOURNAL_MAGIC)) {
                throw new IOException(from.file() + " is not a journal; move it away");
            }
            checkVersion(from.file(), String.valueOf(head.readInt()));
            checkCluster(from.file(), TransactionCodec.text(head));
            for (DataInputStream record = RecordFrames.next(in); record != null; record = RecordFrames.next(in)) {
                Transaction transaction = TransactionCodec.read(record);
                if (transaction.sequence() >= end) {
                    return last; // written by a leader after it was fenced
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

    /** A transaction number after which all transactions of a time lie: files are written in order of time. */
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
    public List<ApplicationCost> applications(
            String queue, long fromMillis, long toMillis, ApplicationCost.By by, int most) throws IOException {
        ApplicationCosts costs = new ApplicationCosts();
        scan(beforeTime(fromMillis), transaction -> {
            if (transaction.atMillis() >= fromMillis && transaction.atMillis() < toMillis) {
                costs.add(transaction, queue);
            }
            return transaction.atMillis() < toMillis;
        });
        return costs.list(by, most);
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
