// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.journal;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.heddle.journal.FormerFile;
import org.heddle.journal.LocalStorage;
import org.heddle.journal.LogImport;
import org.heddle.market.ledger.book.TransactionCodec;
import org.heddle.settings.file.AtomicFile;
import org.jspecify.annotations.Nullable;

/**
 * Converts the directory of version 0.1.0:
 *
 * <pre>
 * leader                 "heddle-market-leader" version(1) cluster number text
 * journal-FENCE-FIRST    head record, then transactions
 * snapshot-LAST          head record, then the state
 * record                 length(int) crc32c(int) body
 * </pre>
 *
 * All transactions are kept, because statements and the audit need them. The file {@code leader} is set aside when all is
 * converted, and then the others.
 */
final class FormerLedger {
    private static final String VERSION = "1";
    private static final int LARGEST = 256 << 20;

    private final LocalStorage storage;
    private final String owner;
    private final String clusterId;

    private FormerLedger(LocalStorage storage, String owner, String clusterId) {
        this.storage = storage;
        this.owner = owner;
        this.clusterId = clusterId;
    }

    /** Converts a ledger, if there is one; the directory stays locked. */
    static void convert(LocalStorage storage, String owner, String clusterId) throws IOException {
        storage.lock();
        new FormerLedger(storage, owner, clusterId).convert();
    }

    private void convert() throws IOException {
        Path file = storage.directory().resolve("leader");
        FormerFile leader = FormerFile.find(file, "");
        if (leader != null) {
            fence(file);
            LogImport log = new LogImport(storage, owner);
            List<Path> segments = files("journal-[0-9]{10}-[0-9]{19}");
            for (int i = 0; i < segments.size(); i++) {
                long end = i + 1 < segments.size() ? number(segments.get(i + 1), 2) : Long.MAX_VALUE;
                convertSegment(log, segments.get(i), end);
            }
            for (Path snapshot : files("snapshot-[0-9]{19}")) {
                convertSnapshot(log, snapshot);
            }
            leader.setAside();
        }
        for (Path old : files("(journal|snapshot)-[0-9-]+")) {
            FormerFile.of(old).setAside();
        }
    }

    /** An old process that still leads, on another machine, sees another leader in the file and ends. */
    private void fence(Path leader) throws IOException {
        String[] words = Files.readString(leader).trim().split(" ", -1);
        if (words.length != 5 || !words[0].equals("heddle-market-leader")) {
            throw new IOException(leader + " does not name a leader; restore it from a backup");
        }
        check(leader, words[1], words[2]);
        words[4] = "converted";
        AtomicFile.write(leader, String.join(" ", words) + "\n");
    }

    private void check(Path file, String version, String cluster) throws IOException {
        if (!version.equals(VERSION)) {
            throw new IOException(file + " has format version " + version + ", and this Heddle converts version "
                    + VERSION + "; start the Heddle version that wrote it");
        }
        if (!cluster.equals(clusterId)) {
            throw new IOException(file + " belongs to cluster " + cluster + ", not to " + clusterId
                    + "; use a directory of this cluster");
        }
    }

    private List<Path> files(String names) throws IOException {
        try (Stream<Path> all = Files.list(storage.directory())) {
            return all.filter(file -> String.valueOf(file.getFileName()).matches(names))
                    .sorted()
                    .toList();
        }
    }

    private static long number(Path file, int part) {
        return Long.parseLong(String.valueOf(file.getFileName()).split("-", -1)[part]);
    }

    /** @param end number of the next file's first transaction; from there on a fenced leader has written */
    private void convertSegment(LogImport log, Path file, long end) throws IOException {
        FileTime modified = Files.getLastModifiedTime(file);
        Path converted;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
                LogImport.Segment segment = log.segment(number(file, 1), number(file, 2))) {
            converted = storage.directory().resolve(segment.name());
            if (isHeaded(in, file, "heddle-market-journal")) {
                for (byte[] body = next(in); body != null; body = next(in)) {
                    long sequence = ByteBuffer.wrap(body).getLong();
                    if (sequence >= end) {
                        break;
                    }
                    segment.add(sequence, body);
                }
            }
        }
        Files.setLastModifiedTime(converted, modified);
    }

    private void convertSnapshot(LogImport log, Path file) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            byte[] state = isHeaded(in, file, "heddle-market-snapshot") ? next(in) : null;
            if (state != null) {
                log.snapshot(number(file, 1), state);
            }
        }
    }

    /** False if the process died before it wrote the head. */
    private boolean isHeaded(InputStream in, Path file, String magic) throws IOException {
        byte[] head = next(in);
        if (head == null) {
            return false;
        }
        DataInputStream fields = new DataInputStream(new ByteArrayInputStream(head));
        if (!TransactionCodec.text(fields).equals(magic)) {
            throw new IOException(file + " is not a file of a ledger; move it away");
        }
        check(file, String.valueOf(fields.readInt()), TransactionCodec.text(fields));
        return true;
    }

    /** The next record; null at the end of the file, and at an incomplete or damaged record. */
    private static byte @Nullable [] next(InputStream in) throws IOException {
        byte[] head = in.readNBytes(8);
        int length = head.length < 8 ? -1 : ByteBuffer.wrap(head).getInt();
        if (length < 0 || length > LARGEST) {
            return null;
        }
        byte[] record = in.readNBytes(length);
        CRC32C crc = new CRC32C();
        crc.update(record);
        return record.length == length
                        && (int) crc.getValue() == ByteBuffer.wrap(head).getInt(4)
                ? record
                : null;
    }
}
