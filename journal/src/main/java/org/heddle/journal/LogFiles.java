// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names of a log's files, and reading over several of them. */
final class LogFiles {
    private static final Pattern SEGMENT = Pattern.compile("log-([0-9]{10,})-([0-9]{19})");
    private static final Pattern SNAPSHOT = Pattern.compile("state-([0-9]{19})");
    private static final Pattern DRAFT = Pattern.compile("(state-|copies-|epoch\\.).*\\.new");

    /** A file of records. */
    static final class Segment {
        private final String name;
        private final long epoch;
        private final long first;
        private final long modifiedMillis;

        Segment(String name, long epoch, long first, long modifiedMillis) {
            this.name = name;
            this.epoch = epoch;
            this.first = first;
            this.modifiedMillis = modifiedMillis;
        }

        String name() {
            return name;
        }
    }

    private final LogStorage storage;
    private final String owner;

    LogFiles(LogStorage storage, String owner) {
        this.storage = storage;
        this.owner = owner;
    }

    static String segment(long epoch, long first) {
        return String.format(Locale.ROOT, "log-%010d-%019d", epoch, first);
    }

    static String snapshot(long last) {
        return String.format(Locale.ROOT, "state-%019d", last);
    }

    List<Segment> segments() throws IOException {
        List<Segment> segments = new ArrayList<>();
        for (LogStorage.StoredFile file : storage.list()) {
            Matcher name = SEGMENT.matcher(file.name());
            if (name.matches()) {
                segments.add(new Segment(
                        file.name(),
                        Long.parseLong(name.group(1)),
                        Long.parseLong(name.group(2)),
                        file.modifiedMillis()));
            }
        }
        return segments;
    }

    /** The number of the last leader that has begun a file; 0 if there was none. */
    long lastEpoch() throws IOException {
        return segments().stream().mapToLong(segment -> segment.epoch).max().orElse(0);
    }

    private List<Long> snapshots() throws IOException {
        List<Long> snapshots = new ArrayList<>();
        for (LogStorage.StoredFile file : storage.list()) {
            Matcher name = SNAPSHOT.matcher(file.name());
            if (name.matches()) {
                snapshots.add(Long.parseLong(name.group(1)));
            }
        }
        return snapshots;
    }

    /** Passes the newest readable snapshot and the records after it. @return the number of the last record */
    long read(WriteAheadLog.Replay replay) throws IOException {
        long after = 0;
        List<Long> snapshots = snapshots();
        for (int i = snapshots.size() - 1; i >= 0 && after == 0; i--) {
            long number = snapshots.get(i);
            byte[] state = LogReader.only(storage, snapshot(number), owner, number);
            if (state != null) {
                replay.snapshot(number, state);
                after = number;
            }
        }
        long[] last = {after};
        scan(after, Long.MAX_VALUE, (number, body) -> {
            replay.record(number, body);
            last[0] = number;
            return true;
        });
        return last[0];
    }

    /** Passes the records with numbers after {@code after} and up to {@code upTo}, until the visitor stops. */
    void scan(long after, long upTo, WriteAheadLog.Visitor to) throws IOException {
        List<Segment> segments = segments();
        long last = after;
        for (int i = 0; i < segments.size() && last >= 0 && last < upTo; i++) {
            Segment segment = segments.get(i);
            long end = i + 1 < segments.size() ? segments.get(i + 1).first : Long.MAX_VALUE;
            if (end <= after + 1) {
                continue;
            }
            if (segment.first > last + 1) {
                throw new IOException("records " + (last + 1) + " to " + (segment.first - 1) + " are missing before "
                        + storage.place() + "/" + segment.name + "; restore them from a copy");
            }
            last = scan(segment, last, Math.min(end - 1, upTo), to);
        }
    }

    /** The number of the last passed record; -1 if the visitor stopped. */
    private long scan(Segment from, long after, long upTo, WriteAheadLog.Visitor to) throws IOException {
        long last = after;
        try (LogReader in = new LogReader(storage, from.name, owner)) {
            while (last < upTo
                    && in.next()) { // what follows upTo was written by a leader after it was fenced, or is unfinished
                if (in.number() > last && in.number() <= upTo) {
                    if (!to.record(in.number(), in.body())) {
                        return -1;
                    }
                    last = in.number();
                }
            }
        }
        return last;
    }

    long before(long millis) throws IOException {
        List<Segment> segments = segments();
        long before = segments.isEmpty() ? 0 : segments.get(0).first - 1;
        for (Segment segment : segments) {
            if (segment.modifiedMillis >= millis) {
                break;
            }
            before = segment.first - 1;
        }
        return before;
    }

    /**
     * Deletes old files, oldest first, so that an interruption leaves no gap. The last snapshots and all files after the
     * first of them stay, so that one damaged snapshot does no harm.
     */
    void prune(int keptSnapshots, LongPredicate mayDelete) throws IOException {
        List<Long> snapshots = snapshots();
        List<Segment> segments = segments();
        if (snapshots.size() < keptSnapshots) {
            return;
        }
        storage.checkLeads();
        long from = snapshots.get(snapshots.size() - keptSnapshots) + 1;
        for (long snapshot : snapshots.subList(0, snapshots.size() - keptSnapshots)) {
            storage.delete(snapshot(snapshot));
        }
        for (int i = 0; i + 1 < segments.size() && segments.get(i + 1).first <= from; i++) {
            if (!mayDelete.test(segments.get(i).modifiedMillis)) {
                break;
            }
            storage.delete(segments.get(i).name);
            storage.watcher().at(LogPoint.PRUNED);
        }
    }

    /**
     * Deletes what crashes and failures have left: drafts, and files whose records, if they have some, count for nothing because
     * the next file begins with the same number. While a disk is full, each attempt may leave such a file.
     */
    void deleteLeftovers() throws IOException {
        delete(DRAFT);
        List<Segment> segments = segments();
        for (int i = 0; i + 1 < segments.size(); i++) {
            if (segments.get(i).first == segments.get(i + 1).first) {
                storage.delete(segments.get(i).name);
            }
        }
    }

    /** Deletes the whole log. */
    void deleteAll() throws IOException {
        delete(SEGMENT);
        delete(SNAPSHOT);
        delete(DRAFT);
    }

    private void delete(Pattern names) throws IOException {
        for (LogStorage.StoredFile file : storage.list()) {
            if (names.matcher(file.name()).matches()) {
                storage.delete(file.name());
            }
        }
    }
}
