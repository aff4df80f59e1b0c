// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal.hdfs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.permission.FsPermission;
import org.heddle.journal.FencedException;
import org.heddle.journal.LogPoint;
import org.heddle.journal.LogStorage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory of HDFS. A leader creates the file {@code leader-NUMBER}, which only one process can, and deletes those
 * of earlier leaders. It recovers the leases of their files, as HBase does with its write-ahead log, so that the
 * NameNode and the DataNodes refuse what an old leader still writes. A leader looks for a newer one when it begins a
 * file: one that comes later finds that file and seals it. A new leader first gives an old one a moment to close its
 * file ({@link LeadCheck}).
 */
public final class HdfsStorage implements LogStorage {
    private static final Logger LOG = LoggerFactory.getLogger(HdfsStorage.class);
    private static final Pattern CLAIM = Pattern.compile("leader-([0-9]{10,})");
    private static final FsPermission FILES = new FsPermission((short) 0600);
    private static final FsPermission DIRECTORY = new FsPermission((short) 0700);

    /**
     * Another request for a recovery makes the one that goes on worthless. That takes a heartbeat, and ten seconds for
     * each DataNode of the block that is dead and was not for long: the one that recovers it calls them ten times.
     */
    private static final long RECOVER_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(15);

    /** Longer than an old leader needs for {@link LeadCheck#EVERY_NANOS} and a sync. */
    private static final long YIELD_NANOS = TimeUnit.MILLISECONDS.toNanos(750);

    private static final int BUFFER = 1 << 16;

    private final Path directory;
    private final Configuration conf;
    private final LogPoint.Watcher watcher;
    private final LaterWork later = new LaterWork("heddle-journal-note");
    private @Nullable FileSystem connected;
    private long epoch;
    private long claimedNanos;
    /** The claim that was being renamed when that failed: whether it was is not known; 0 if there is none. */
    private long claiming;

    private String claimDraft = "";
    private HdfsOutput.@Nullable Checks checks;
    /** Between a claim and the first file of this leader: then reading waits for DataNodes. */
    private volatile boolean takesOver;

    /** @param conf of the cluster; the keys of {@link ClientDefaults} get other defaults */
    public HdfsStorage(URI directory, Configuration conf, LogPoint.Watcher watcher) {
        this.directory = new Path(directory);
        this.conf = ClientDefaults.apply(conf);
        this.watcher = watcher;
    }

    @Override
    public String place() {
        return directory.toString();
    }

    /** An instance of its own: another user of the process may close Hadoop's shared ones. */
    private synchronized FileSystem fs() throws IOException {
        FileSystem fs = connected;
        if (fs == null) {
            fs = FileSystem.newInstance(directory.toUri(), conf);
            if (!(fs instanceof LeaseRecoverable)) {
                fs.close();
                throw new IOException(place() + " is in " + fs.getClass().getSimpleName()
                        + ", which cannot recover leases; use a directory of HDFS or of this machine");
            }
            connected = fs;
        }
        return fs;
    }

    private Path path(String name) {
        return new Path(directory, name);
    }

    private interface Work<T> {
        T run(FileSystem fs) throws IOException;
    }

    /** Does it, and makes a sentence of a failure. */
    private <T> T with(Work<T> work) throws IOException {
        try {
            return work.run(fs());
        } catch (FencedException | java.nio.file.FileAlreadyExistsException e) {
            throw e;
        } catch (IOException | IllegalArgumentException e) {
            throw HdfsFailure.sentence(place(), e);
        }
    }

    @Override
    public long claim(long last) throws IOException {
        return with(fs -> {
            if (!fs.mkdirs(directory, DIRECTORY)) {
                throw new IOException("the directory cannot be created");
            }
            findOwnClaim(fs);
            long before = epoch;
            for (; ; ) {
                long next = Math.max(last, latest(fs)) + 1;
                boolean follows = before == 0 || next == before + 1;
                if (follows && claim(fs, next)) {
                    takesOver = true;
                    claimedNanos = System.nanoTime();
                    checks = checks(fs);
                    return next;
                }
                epoch = before;
                if (before > 0) {
                    throw fenced(); // one that has led before takes the lead from nobody
                }
            }
        });
    }

    /** The number of the last leader; 0 if there was none. */
    private long latest(FileSystem fs) throws IOException {
        long latest = 0;
        for (FileStatus file : fs.listStatus(directory)) {
            Matcher name = CLAIM.matcher(file.getPath().getName());
            if (name.matches()) {
                latest = Math.max(latest, Long.parseLong(name.group(1)));
            }
        }
        return latest;
    }

    /** A file is renamed, not created, so that this process finds its claim although the NameNode's answer was lost. */
    private boolean claim(FileSystem fs, long next) throws IOException {
        String draft = claimFile(next) + "." + UUID.randomUUID() + ".new";
        createNew(fs, draft, null).close();
        watcher.at(LogPoint.LEAD_WRITTEN);
        claiming = next;
        claimDraft = draft;
        boolean first = fs.rename(path(draft), path(claimFile(next)));
        claiming = 0;
        if (!first) {
            fs.delete(path(draft), false);
            return false;
        }
        epoch = next;
        watcher.at(LogPoint.LEAD_SYNCED);
        if (latest(fs) != next) {
            return false; // slower than another one, which has deleted its predecessors already
        }
        for (FileStatus file : sorted(fs)) {
            String name = file.getPath().getName();
            if (name.startsWith("leader-") && name.compareTo(claimFile(next)) < 0) {
                fs.delete(file.getPath(), false);
            }
        }
        watcher.at(LogPoint.LEAD_RENAMED);
        return true;
    }

    /** Nobody else renames the draft, and only a later leader deletes it. */
    private void findOwnClaim(FileSystem fs) throws IOException {
        if (claiming > 0 && !fs.exists(path(claimDraft)) && latest(fs) == claiming) {
            epoch = claiming;
        }
        claiming = 0;
    }

    private static String claimFile(long number) {
        return String.format(Locale.ROOT, "leader-%010d", number);
    }

    private List<FileStatus> sorted(FileSystem fs) throws IOException {
        List<FileStatus> files = new ArrayList<>(List.of(fs.listStatus(directory)));
        files.sort(Comparator.comparing(file -> file.getPath().getName()));
        return files;
    }

    /** The next leader is looked for first: whoever follows it deletes this one's file before that of the next. */
    @Override
    public void checkLeads() throws IOException {
        boolean leads = with(fs -> {
            findOwnClaim(fs);
            return !fs.exists(path(claimFile(epoch + 1))) && fs.exists(path(claimFile(epoch)));
        });
        if (!leads) {
            throw fenced();
        }
    }

    private FencedException fenced() {
        return new FencedException(
                place() + " has another leader now; this process was leader " + epoch + " and cannot write any more");
    }

    @Override
    public boolean checksEachSync() {
        return false;
    }

    @Override
    public void seal(String name) throws IOException {
        with(fs -> {
            try {
                seal((LeaseRecoverable) fs, path(name));
            } catch (FileNotFoundException e) {
                LOG.debug("{} was deleted by the leader before, which stored nothing in it", name, e);
            }
            return true;
        });
    }

    /**
     * DataNodes agree on the length of the last block, which takes about one of their heartbeats. If they are
     * interrupted in the middle of a sync, their copies may not be recoverable.
     */
    private void seal(LeaseRecoverable fs, Path file) throws IOException {
        Patience patience = new Patience("the recovery of the lease of " + file);
        long ask = claimedNanos + YIELD_NANOS;
        long interval = RECOVER_AGAIN_NANOS;
        while (!fs.isFileClosed(file)) {
            long now = System.nanoTime();
            if (now - ask >= 0) {
                ask = now + interval;
                interval *= 2;
                if (fs.recoverLease(file)) {
                    break;
                }
            }
            patience.pause(() -> new IOException("the lease of " + file.getName()
                    + " is not recovered yet; look whether the DataNodes of its last block run"));
        }
        patience.end();
    }

    @Override
    public List<StoredFile> list() throws IOException {
        return with(fs -> {
            List<StoredFile> files = new ArrayList<>();
            try {
                for (FileStatus file : sorted(fs)) {
                    if (file.isFile()) {
                        files.add(new StoredFile(file.getPath().getName(), file.getModificationTime()));
                    }
                }
            } catch (FileNotFoundException e) {
                return List.of();
            }
            return files;
        });
    }

    @Override
    public InputStream read(String name) throws IOException {
        return with(fs -> {
            PatientInput.Source source = () -> fs.open(path(name));
            return takesOver ? new PatientInput(path(name).toString(), source) : source.open();
        });
    }

    /** While no DataNode takes the start of the file, begins it anew. */
    @Override
    public Output create(String name, byte[] start) throws IOException {
        Patience patience = new Patience("DataNodes for " + path(name));
        while (true) {
            HdfsOutput created = with(fs -> createNew(fs, name, checks));
            try {
                watcher.at(LogPoint.SEGMENT_CREATED);
                created.write(start, 0, start.length);
                created.sync();
                patience.end();
                takesOver = false;
                return created;
            } catch (FencedException e) {
                throw e;
            } catch (IOException e) {
                with(fs -> fs.delete(path(name), false));
                closeDeleted(created);
                checkLeads();
                patience.pause(() -> e);
            }
        }
    }

    private static void closeDeleted(Output deleted) {
        try {
            deleted.close();
        } catch (IOException e) {
            LOG.debug("A file that was deleted was not closed", e);
        }
    }

    private HdfsOutput.Checks checks(FileSystem fs) {
        return new HdfsOutput.Checks(
                new LeadCheck(this::checkLeads),
                new CopiesCheck(fs.getDefaultReplication(directory), this::copiesOfNewFile, System::nanoTime));
    }

    private int copiesOfNewFile() throws IOException {
        return with(fs -> {
            String trial = "copies-" + UUID.randomUUID() + ".new";
            try (HdfsOutput out = createNew(fs, trial, null)) {
                out.write(new byte[1], 0, 1);
                out.sync();
                return out.copies();
            } finally {
                fs.delete(path(trial), false);
            }
        });
    }

    @Override
    public boolean repairsItself() {
        return true;
    }

    /** Replicated also where the directory has an erasure coding policy, because striped files cannot be synced. */
    private HdfsOutput createNew(FileSystem fs, String name, HdfsOutput.@Nullable Checks checks) throws IOException {
        FSDataOutputStream stream;
        try {
            stream = fs.create(
                    path(name),
                    FILES,
                    EnumSet.of(CreateFlag.CREATE, CreateFlag.SHOULD_REPLICATE),
                    BUFFER,
                    fs.getDefaultReplication(directory),
                    fs.getDefaultBlockSize(directory),
                    null);
        } catch (FileAlreadyExistsException e) {
            throw new java.nio.file.FileAlreadyExistsException(path(name).toString(), null, e.getMessage());
        }
        if (!stream.hasCapability(StreamCapabilities.HSYNC)) {
            stream.close();
            throw new IOException("its file system cannot sync files; use a directory of HDFS or of this machine");
        }
        return new HdfsOutput(place(), stream, checks);
    }

    @Override
    public boolean putIfAbsent(String name, byte[] content) throws IOException {
        return with(fs -> {
            fs.mkdirs(directory, DIRECTORY);
            String draft = name + "." + UUID.randomUUID() + ".new";
            try (Output out = createNew(fs, draft, null)) {
                out.write(content, 0, content.length);
                watcher.at(LogPoint.SNAPSHOT_WRITTEN);
                out.sync();
            }
            watcher.at(LogPoint.SNAPSHOT_SYNCED);
            boolean renamed = fs.rename(path(draft), path(name));
            if (!renamed) {
                fs.delete(path(draft), false);
                if (!fs.exists(path(name))) {
                    throw new IOException(draft + " cannot be renamed to " + name);
                }
            }
            watcher.at(LogPoint.SNAPSHOT_RENAMED);
            return renamed;
        });
    }

    @Override
    public boolean rename(String from, String to) throws IOException {
        return with(fs -> fs.rename(path(from), path(to)));
    }

    @Override
    public void soon(Runnable work) {
        later.request(work);
    }

    @Override
    public void delete(String name) throws IOException {
        with(fs -> {
            if (!fs.delete(path(name), false)) {
                throw new FileNotFoundException(name + " does not exist");
            }
            return true;
        });
    }

    @Override
    public LogPoint.Watcher watcher() {
        return watcher;
    }

    @Override
    public synchronized void close() throws IOException {
        FileSystem fs = connected;
        connected = null;
        if (fs != null) {
            fs.close();
        }
    }
}
