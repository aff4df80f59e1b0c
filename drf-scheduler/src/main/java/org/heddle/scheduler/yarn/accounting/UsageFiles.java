// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.accounting;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options.CreateOpts;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.heddle.scheduler.accounting.HourlyUsage;
import org.heddle.scheduler.accounting.UsageFormat;
import org.jspecify.annotations.Nullable;

/**
 * The files of all hours, one for each, in a directory for each month: {@code 2026-11/2026-11-23T08.jsonl}, UTC. A file
 * is replaced as a whole, so that a reader never sees a part of it. Any file system that Hadoop knows will do.
 */
final class UsageFiles implements UsageStore {
    private static final DateTimeFormatter MONTH =
            DateTimeFormatter.ofPattern("uuuu-MM").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter HOUR =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH").withZone(ZoneOffset.UTC);
    private static final String SUFFIX = ".jsonl";
    private static final FsPermission DIRECTORY = new FsPermission((short) 0750);
    private static final FsPermission FILE = new FsPermission((short) 0640);

    private final Path directory;
    private final Configuration conf;

    UsageFiles(Path directory, Configuration conf) {
        this.directory = directory;
        this.conf = conf;
    }

    @Override
    public void write(HourlyUsage hour) throws IOException {
        FileContext files = files();
        Path file = file(hour.startMillis());
        files.mkdir(file.getParent(), DIRECTORY, true);
        Path draft = file.suffix(".new");
        try (OutputStream out =
                files.create(draft, EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE), CreateOpts.perms(FILE))) {
            out.write(UsageFormat.text(hour).getBytes(StandardCharsets.UTF_8));
        }
        files.rename(draft, file, Rename.OVERWRITE);
    }

    @Override
    public @Nullable HourlyUsage read(long startMillis) throws IOException {
        return read(file(startMillis));
    }

    private @Nullable HourlyUsage read(Path file) throws IOException {
        try (InputStream in = files().open(file)) {
            return UsageFormat.parse(file.toString(), new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (FileNotFoundException e) {
            return null;
        }
    }

    @Override
    public List<Long> hours(long fromMillis, long toMillis) throws IOException {
        List<Long> starts = new ArrayList<>();
        long start = HourlyUsage.startOf(fromMillis);
        String seen = "";
        for (long at = start; at < toMillis; at += HourlyUsage.HOUR_MILLIS) {
            String month = MONTH.format(Instant.ofEpochMilli(at));
            if (!month.equals(seen)) {
                seen = month;
                list(month, starts);
            }
        }
        starts.removeIf(each -> each < start || each >= toMillis);
        starts.sort(null);
        return starts;
    }

    private void list(String month, List<Long> starts) throws IOException {
        try {
            RemoteIterator<FileStatus> files = files().listStatus(new Path(directory, month));
            while (files.hasNext()) {
                String name = files.next().getPath().getName();
                if (name.endsWith(SUFFIX)) {
                    String hour = name.substring(0, name.length() - SUFFIX.length());
                    starts.add(Instant.parse(hour + ":00:00Z").toEpochMilli());
                }
            }
        } catch (FileNotFoundException e) {
            return; // nothing was used in that month
        }
    }

    private FileContext files() throws IOException {
        return FileContext.getFileContext(directory.toUri(), conf);
    }

    private Path file(long startMillis) {
        Instant start = Instant.ofEpochMilli(startMillis);
        return new Path(new Path(directory, MONTH.format(start)), HOUR.format(start) + SUFFIX);
    }

    @Override
    public String toString() {
        return directory.toString();
    }
}
