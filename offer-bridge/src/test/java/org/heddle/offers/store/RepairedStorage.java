// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.store;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.heddle.journal.LocalStorage;
import org.heddle.journal.LogPoint;
import org.heddle.journal.LogStorage;
import org.heddle.journal.UnavailableException;

/**
 * A storage that now and then fails and then works again, as HDFS does when it loses DataNodes. What was not synced is
 * gone with a failure; of what was being synced, either all is stored or nothing.
 */
final class RepairedStorage implements LogStorage {
    private final LocalStorage disk;
    private final Random random;
    private int left;
    private int failures;
    private boolean broken;
    private int silent;

    RepairedStorage(Path directory, Random random) {
        disk = new LocalStorage(directory);
        this.random = random;
        left = 10;
    }

    /** From now on every sync fails. */
    void breakDown() {
        broken = true;
    }

    /** The next sync fails, and then it does not answer so many times. */
    void goAway(int times) {
        left = 0;
        silent = times;
    }

    int failures() {
        return failures;
    }

    @Override
    public boolean repairsItself() {
        return true;
    }

    @Override
    public Output create(String name, byte[] start) throws IOException {
        Output file = disk.create(name, start);
        ByteArrayOutputStream buffer = new ByteArrayOutputStream();
        return new Output() {
            private boolean lost;

            @Override
            public void write(byte[] bytes, int from, int length) {
                buffer.write(bytes, from, length);
            }

            @Override
            public void sync() throws IOException {
                lost = broken || left-- == 0;
                if (!lost || random.nextBoolean()) {
                    file.write(buffer.toByteArray(), 0, buffer.size());
                    file.sync();
                }
                buffer.reset();
                if (lost) {
                    left = 2 + random.nextInt(10); // so that opening it again works
                    failures++;
                    throw new IOException("no more good DataNodes");
                }
            }

            @Override
            public void close() throws IOException {
                if (!lost) {
                    file.write(buffer.toByteArray(), 0, buffer.size());
                }
                file.close();
            }
        };
    }

    @Override
    public String place() {
        return disk.place();
    }

    @Override
    public long claim(long last) throws IOException {
        return disk.claim(last);
    }

    @Override
    public void checkLeads() throws IOException {
        if (left != 0 && silent > 0) {
            silent--;
            throw new UnavailableException("nobody answers", new ConnectException("refused"));
        }
        disk.checkLeads();
    }

    @Override
    public boolean checksEachSync() {
        return disk.checksEachSync();
    }

    @Override
    public void seal(String name) throws IOException {
        disk.seal(name);
    }

    @Override
    public List<StoredFile> list() throws IOException {
        return disk.list();
    }

    @Override
    public InputStream read(String name) throws IOException {
        return disk.read(name);
    }

    @Override
    public boolean putIfAbsent(String name, byte[] content) throws IOException {
        return disk.putIfAbsent(name, content);
    }

    @Override
    public boolean rename(String from, String to) throws IOException {
        return disk.rename(from, to);
    }

    @Override
    public void soon(Runnable work) {
        disk.soon(work);
    }

    @Override
    public void delete(String name) throws IOException {
        disk.delete(name);
    }

    @Override
    public LogPoint.Watcher watcher() {
        return LogPoint.Watcher.NONE;
    }

    @Override
    public void close() throws IOException {
        disk.close();
    }
}
