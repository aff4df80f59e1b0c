// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.journal.FormerFile;
import org.heddle.journal.InUseException;
import org.heddle.journal.LocalStorage;
import org.heddle.journal.LogStorage;
import org.heddle.journal.WriteAheadLog;
import org.jspecify.annotations.Nullable;

/**
 * A durable map from names to bytes: a write-ahead log of batches, replayed when opened, and compacted when it has grown. A
 * batch is applied as a whole or not at all. For one thread.
 */
public final class Journal implements Closeable {
    private static final String OWNER = "an offer bridge";
    private static final String KEY = "heddle.bridge.state.dir: ";
    private static final String FORMER = "bridge.journal";
    private static final long COMPACT_AFTER = 32L << 20;

    private final WriteAheadLog log;
    private final TreeMap<String, byte[]> live = new TreeMap<>();
    private long liveBytes;

    private Journal(LogStorage storage) {
        log = new WriteAheadLog(storage, OWNER, modified -> true);
    }

    /** Opens or creates the journal of a directory of this machine. */
    public static Journal open(Path directory) throws IOException {
        return open(new LocalStorage(directory));
    }

    /**
     * Opens or creates a journal, for this process only.
     *
     * @param storage closed with the journal
     * @throws InUseException if another process has locked it
     * @throws IOException one sentence: unavailable, of an unknown version, or damaged
     */
    public static Journal open(LogStorage storage) throws IOException {
        Journal journal = new Journal(storage);
        try (FormerFile former = former(storage)) {
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
            journal.convert(former);
            return journal;
        } catch (InUseException e) {
            journal.close();
            throw new InUseException(KEY + e.getMessage());
        } catch (IOException e) {
            journal.close();
            throw new IOException(KEY + e.getMessage(), e);
        }
    }

    private static @Nullable FormerFile former(LogStorage storage) throws IOException {
        return storage instanceof LocalStorage local
                ? FormerFile.find(local.directory().resolve(FORMER), "bridge.lock")
                : null;
    }

    private void convert(@Nullable FormerFile former) throws IOException {
        if (former == null) {
            return;
        }
        if (log.last() == 0) {
            commit(FormerJournal.read(former.file()), true);
        }
        former.setAside();
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
            log.append(batch.isEmpty() ? List.of() : List.of(Entries.write(batch)), durable);
            batch.forEach(this::remember);
        }
        if (log.size() > COMPACT_AFTER && log.size() > 4 * liveBytes) {
            log.snapshot(Entries.write(live));
        }
    }

    @Override
    public void close() throws IOException {
        log.close();
    }
}
