// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * The files of a log: one flat directory with one writer, which is the last process that has called {@link #claim}.
 * Errors are one sentence that names the place.
 */
public interface LogStorage extends Closeable {
    /** A stored file; modified at epoch milliseconds, or later if its writer died. */
    final class StoredFile {
        private final String name;
        private final long modifiedMillis;

        public StoredFile(String name, long modifiedMillis) {
            this.name = name;
            this.modifiedMillis = modifiedMillis;
        }

        public String name() {
            return name;
        }

        public long modifiedMillis() {
            return modifiedMillis;
        }
    }

    /** A file that is being written. */
    interface Output extends Closeable {
        void write(byte[] bytes, int from, int length) throws IOException;

        /** Returns when all written bytes are on disks. */
        void sync() throws IOException;

        /**
         * Whether this file has lost copies and a file that begins now would have more of them; then one must begin.
         */
        default boolean needsNewFile() {
            return false;
        }
    }

    /** The directory, for messages. */
    String place();

    /**
     * Becomes the leader; creates the directory if there is none.
     *
     * @param last number of a leader before, at least
     * @return the number of this leader, larger than that of all leaders before
     * @throws InUseException if another process has locked the directory
     */
    long claim(long last) throws IOException;

    /** @throws FencedException if another process has claimed the storage since this one did */
    void checkLeads() throws IOException;

    /**
     * Whether a leader must call {@link #checkLeads} after each sync, because {@link #seal} does not end the writing of
     * the leader before.
     */
    boolean checksEachSync();

    /** Ends the writing of a file by an earlier leader, if the storage can, so that its content is final. */
    void seal(String name) throws IOException;

    /** All files, ordered by name; none if there is no directory. */
    List<StoredFile> list() throws IOException;

    InputStream read(String name) throws IOException;

    /**
     * Begins a file.
     *
     * @param start its first bytes, which are on disks when this returns
     * @throws java.nio.file.FileAlreadyExistsException if the file exists
     */
    Output create(String name, byte[] start) throws IOException;

    /**
     * Stores a file completely or not at all; it is on disks when this returns.
     *
     * @return whether there was no such file
     */
    boolean putIfAbsent(String name, byte[] content) throws IOException;

    /**
     * Gives a file another name, and changes nothing if there is no such file. A crash may undo this, until a file is
     * created after it.
     *
     * @return whether it was done
     */
    boolean rename(String from, String to) throws IOException;

    /** Does a small thing that no caller waits for: now, or on another thread if it asks a server. */
    void soon(Runnable work);

    void delete(String name) throws IOException;

    /**
     * Whether a log that failed may work again when it is opened again, because this storage replaces disks that fail.
     */
    boolean repairsItself();

    /** Gets the points that the work passes. */
    LogPoint.Watcher watcher();
}
