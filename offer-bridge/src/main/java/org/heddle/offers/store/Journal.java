// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.journal.FencedException;
import org.heddle.journal.InUseException;
import org.heddle.journal.LocalStorage;
import org.heddle.journal.LogStorage;
import org.heddle.journal.UnavailableException;
import org.heddle.journal.WriteAheadLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A durable map from names to bytes: a write-ahead log of batches, replayed when opened, and compacted when it has
 * grown. A batch is applied as a whole or not at all. For one thread.
 */
public final class Journal implements Closeable {
    private static final String OWNER = "an offer bridge";
    private static final String KEY = "heddle.bridge.state.dir: ";
    private static final long COMPACT_AFTER = 32L << 20;

    /** Of opening the log again after a failure; each waits for HDFS as long as that makes sense. */
    private static final int ATTEMPTS = 3;

    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);

    private static final WriteAheadLog.Replay KNOWN = new WriteAheadLog.Replay() {
        @Override
        public void snapshot(long number, byte[] state) {}

        @Override
        public void record(long number, byte[] body) {}
    };

    /** Decides how long an open journal waits for a storage that does not answer or is full. */
    public interface Outage {
        /** Ends at the first failure. */
        Outage NO_WAIT = new Outage() {
            @Override
            public boolean pause(UnavailableException failure) {
                return false;
            }

            @Override
            public void end() {}
        };

        /** Pauses before another attempt; returns whether there should be one. */
        boolean pause(UnavailableException failure);

        /** The storage answers. */
        void end();

        /** Opens something when there is room for it on a full disk. */
        default <T> T withRoom(Opening<T> opening) throws IOException {
            while (true) {
                try {
                    T opened = opening.open();
                    end();
                    return opened;
                } catch (UnavailableException e) {
                    if (!e.isFullDisk() || !pause(e)) {
                        throw e;
                    }
                }
            }
        }
    }

    /** Opens a file of the state directory, or all of them. */
    public interface Opening<T> {
        T open() throws IOException;
    }

    private final LogStorage storage;
    private final Outage outage;
    private final WriteAheadLog log;
    /** What was written since the last sync. */
    private final Map<String, byte @Nullable []> unsynced = new LinkedHashMap<>();

    private final TreeMap<String, byte[]> live = new TreeMap<>();
    private long liveBytes;

    private Journal(LogStorage storage, Outage outage) {
        this.storage = storage;
        this.outage = outage;
        log = new WriteAheadLog(storage, OWNER, modified -> true);
    }

    /** Opens or creates the journal of a directory of this machine. */
    public static Journal open(Path directory) throws IOException {
        return open(new LocalStorage(directory), Outage.NO_WAIT);
    }

    /**
     * Opens or creates a journal, for this process only.
     *
     * @param storage closed with the journal
     * @throws InUseException if another process has locked it
     * @throws UnavailableException if the storage does not answer now, or is full
     * @throws IOException one sentence: unavailable, of an unknown version, or damaged
     */
    public static Journal open(LogStorage storage, Outage outage) throws IOException {
        Journal journal = new Journal(storage, outage);
        try {
            journal.log.open(new WriteAheadLog.Replay() {
                @Override
                public void snapshot(long number, byte[] state) throws IOException {
                    Entries.read(state, journal::remember);
                }

                @Override
                public void record(long number, byte[] body) throws IOException {
                    Entries.read(body, journal::remember);
                }
            });
            return journal;
        } catch (InUseException e) {
            journal.close();
            throw new InUseException(KEY + e.getMessage());
        } catch (UnavailableException e) {
            journal.close();
            throw new UnavailableException(KEY + e.getMessage(), e);
        } catch (IOException e) {
            journal.close();
            throw new IOException(KEY + e.getMessage(), e);
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
     * @param durable whether to return only when this batch and those before it are on disks
     */
    public void commit(Map<String, ? extends byte @Nullable []> batch, boolean durable) throws IOException {
        if (!batch.isEmpty() || durable) {
            unsynced.putAll(batch);
            write(() -> log.append(batch.isEmpty() ? List.of() : List.of(Entries.write(batch)), durable));
            batch.forEach(this::remember);
            if (durable) {
                unsynced.clear();
            }
        }
        if (log.size() > COMPACT_AFTER && log.size() > 4 * liveBytes) {
            write(() -> log.snapshot(Entries.write(live)));
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    private void write(Step step) throws IOException {
        try {
            step.run();
        } catch (IOException e) {
            again(e);
        }
    }

    /**
     * Opens the log again, and writes what may not have been stored; it does no harm to have some of it twice. If the
     * storage does not answer or is full, waits for it; that is no attempt.
     */
    private void again(IOException failure) throws IOException {
        IOException last = failure;
        int attempts = 0;
        while (!(last instanceof FencedException)) {
            if (last instanceof UnavailableException unavailable) {
                if (!outage.pause(unavailable)) {
                    break;
                }
            } else if (!storage.repairsItself() || attempts++ == ATTEMPTS) {
                break;
            } else {
                LOG.warn("The journal could not be written and is opened again: {}", last.getMessage());
            }
            try {
                log.open(KNOWN);
                log.append(List.of(Entries.write(unsynced)), true);
                unsynced.clear();
                outage.end();
                LOG.info("The journal can be written again");
                return;
            } catch (IOException e) {
                last = e;
            }
        }
        throw last;
    }

    @Override
    public void close() throws IOException {
        log.close();
    }
}
