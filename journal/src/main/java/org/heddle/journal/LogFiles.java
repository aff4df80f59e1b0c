// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The names of a log's files, and reading over several of them. */
final class LogFiles {
    private static final Pattern SEGMENT = Pattern.compile("log-([0-9]{10,})-([0-9]{19})");
    private static final Pattern SNAPSHOT = Pattern.compile("state-([0-9]{19})");
    private static final Pattern DRAFT = Pattern.compile("(state-|copies-|acknowledged-|epoch\\.).*\\.new");
    /** An administrator's word that the log ends at a record, although later ones were acknowledged. */
    private static final Pattern END = Pattern.compile("ends-at-[0-9]+");
    /** Any file that a leader has made, and not only a draft of one. */
    private static final Pattern USED = Pattern.compile("epoch|(leader|log|state|acknowledged)-[0-9-]+");

    private static final Logger LOG = LoggerFactory.getLogger(LogFiles.class);

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
        long last =
                segments().stream().mapToLong(segment -> segment.epoch).max().orElse(0);
        for (String note : AcknowledgedNote.names(storage)) {
            last = Math.max(last, AcknowledgedNote.epoch(note));
        }
        return last;
    }

    /** Whether no leader has made a file yet. */
    boolean isNew() throws IOException {
        return storage.list().stream()
                .noneMatch(file -> USED.matcher(file.name()).matches());
    }

    /**
     * Refuses a log whose last files were deleted or cut, unless an administrator accepts it.
     *
     * @param last number of the last record that was read
     * @throws IOException one sentence that says how to accept it
     */
    void checkEnd(long last) throws IOException {
        List<String> notes = AcknowledgedNote.names(storage);
        long acknowledged = notes.isEmpty() ? Long.MAX_VALUE : AcknowledgedNote.number(notes.get(notes.size() - 1));
        if (last >= acknowledged) {
            return;
        }
        String end = "ends-at-" + last;
        if (storage.list().stream().anyMatch(file -> file.name().equals(end))) {
            LOG.warn("{} goes on after record {}, because there is the file {}", storage.place(), last, end);
            return;
        }
        String lost;
        if (notes.isEmpty()) {
            lost = "has records up to " + last
                    + ", but its file acknowledged-* is missing, which says whether there were more";
        } else {
            lost = "has lost its records " + (last + 1) + " to " + acknowledged + ": " + suspects(last);
        }
        throw new IOException(
                storage.place() + " " + lost + "; restore the directory from a copy, or create the empty file "
                        + storage.place() + "/" + end + " to go on without what is missing");
    }

    private String suspects(long last) throws IOException {
        List<Segment> segments = segments();
        String deleted = String.format(Locale.ROOT, "the file log-*-%019d was deleted", last + 1);
        return segments.isEmpty() ? deleted : segments.get(segments.size() - 1).name + " was cut, or " + deleted;
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
     * Deletes old files, oldest first, so that an interruption leaves no gap. The last snapshots and all files after
     * the first of them stay, so that one damaged snapshot does no harm.
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
     * Deletes what crashes and failures have left: drafts, and files whose records, if they have some, count for
     * nothing because the next file begins with the same number. While a disk is full, each attempt may leave such a
     * file.
     */
    void deleteLeftovers() throws IOException {
        delete(DRAFT);
        delete(END);
        List<String> notes = AcknowledgedNote.names(storage);
        for (String note : notes.subList(0, notes.size() - 1)) {
            storage.delete(note);
        }
        List<Segment> segments = segments();
        for (int i = 0; i + 1 < segments.size(); i++) {
            if (segments.get(i).first == segments.get(i + 1).first) {
                storage.delete(segments.get(i).name);
            }
        }
    }

    private void delete(Pattern names) throws IOException {
        for (LogStorage.StoredFile file : storage.list()) {
            if (names.matcher(file.name()).matches()) {
                storage.delete(file.name());
            }
        }
    }
}
