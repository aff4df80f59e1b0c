// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An empty file whose name says how many records the leaders of a log have acknowledged, at least. It is renamed after
 * syncs, so it never says more than what is on disks; after a crash of the machine it may say less. A log that ends
 * before this number has lost records, while one whose last record is torn by a crash has not. A name is copied by
 * every tool, and both storages rename a file as a whole.
 *
 * <pre>
 * acknowledged-EPOCH-NUMBER
 * </pre>
 */
final class AcknowledgedNote {
    private static final Logger LOG = LoggerFactory.getLogger(AcknowledgedNote.class);
    private static final Pattern NAME = Pattern.compile("acknowledged-([0-9]{10,})-([0-9]{19})");

    private final LogStorage storage;
    private long epoch;
    private long noted;
    private volatile long acknowledged;

    AcknowledgedNote(LogStorage storage) {
        this.storage = storage;
    }

    private static String name(long epoch, long number) {
        return String.format(Locale.ROOT, "acknowledged-%010d-%019d", epoch, number);
    }

    /** The notes, oldest first: more than one if two leaders renamed theirs at the same time; the last one counts. */
    static List<String> names(LogStorage storage) throws IOException {
        List<String> names = new ArrayList<>();
        for (LogStorage.StoredFile file : storage.list()) {
            if (NAME.matcher(file.name()).matches()) {
                names.add(file.name());
            }
        }
        return names;
    }

    private static Matcher parsed(String name) {
        Matcher parsed = NAME.matcher(name);
        if (!parsed.matches()) {
            throw new IllegalArgumentException(name);
        }
        return parsed;
    }

    static long epoch(String name) {
        return Long.parseLong(parsed(name).group(1));
    }

    static long number(String name) {
        return Long.parseLong(parsed(name).group(2));
    }

    /** Makes the note of a new log. */
    static void create(LogStorage storage) throws IOException {
        storage.putIfAbsent(name(0, 0), new byte[0]);
    }

    /** Stores the note of this leader. It is on disks as soon as a file that is created now. */
    synchronized void begin(long ofEpoch, long number) throws IOException {
        String next = name(ofEpoch, number);
        List<String> before = names(storage);
        String newest = before.isEmpty() ? "" : before.get(before.size() - 1);
        if (!before.isEmpty() && epoch(newest) > ofEpoch) {
            throw new FencedException(storage.place() + " has another leader now (" + epoch(newest)
                    + "); this process was leader " + ofEpoch + " and cannot write any more");
        }
        if (!newest.equals(next) && (newest.isEmpty() || !storage.rename(newest, next))) {
            storage.putIfAbsent(next, new byte[0]);
        }
        epoch = ofEpoch;
        noted = number;
        acknowledged = number;
    }

    /** Notes that all records up to a number are on disks. A failure makes the note only weaker. */
    void acknowledge(long number) {
        acknowledged = number;
        storage.soon(this::write);
    }

    /** Brings the note up to date. */
    synchronized void write() {
        long number = acknowledged;
        if (number == noted) {
            return;
        }
        try {
            if (storage.rename(name(epoch, noted), name(epoch, number))) {
                noted = number;
            }
        } catch (IOException e) {
            LOG.debug("{}: the number of acknowledged records was not noted", storage.place(), e);
        }
    }

    /** Brings it up to date for the last time. */
    synchronized void close() {
        write();
        acknowledged = noted;
    }
}
