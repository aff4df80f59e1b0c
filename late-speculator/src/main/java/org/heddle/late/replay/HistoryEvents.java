// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.replay;

import java.io.DataInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.avro.AvroTypeException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.mapreduce.jobhistory.EventReader;
import org.apache.hadoop.mapreduce.jobhistory.EventType;
import org.apache.hadoop.mapreduce.jobhistory.HistoryEvent;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.JobInfo;
import org.apache.hadoop.mapreduce.jobhistory.TaskAttemptStartedEvent;

/**
 * The events of a {@code .jhist} of any file system. Hadoop's parser takes the part before the first event that it
 * cannot read for the whole job, so the events are read to their end first.
 */
final class HistoryEvents {
    /** The first line of every history. */
    private static final Set<String> FORMATS = Set.of("Avro-Json", "Avro-Binary");

    /** As Avro says it. */
    private static final Pattern MISSING_FIELD = Pattern.compile("missing required field (\\w+)");

    private static final int LONGEST_FORMAT = 11;
    /** The last event of a job: it succeeded, or it failed or was killed or ended with an error. */
    private static final Set<EventType> LAST =
            Set.of(EventType.JOB_FINISHED, EventType.JOB_FAILED, EventType.JOB_KILLED, EventType.JOB_ERROR);

    private final String name;
    private final Set<String> speculative = new HashSet<>();
    private final JobInfo job;

    private HistoryEvents(String name, FileSystem fs, Path path) throws IOException {
        this.name = name;
        checkFormat(fs, path);
        if (!readAll(fs, path)) {
            throw new IOException(
                    name + " cannot be read to the end of its job: a part of the file is missing, or the job"
                            + " had not ended when it was copied; give the whole .jhist of a finished job");
        }
        try {
            job = new JobHistoryParser(fs, path).parse();
        } catch (RuntimeException e) { // the parser trusts the order of events, and their ids
            throw new IOException(
                    name + " cannot be used: its events do not belong together, for one names a task that is not there;"
                            + " give the .jhist as Hadoop wrote it",
                    e);
        }
    }

    /** @throws IOException with one sentence for the user, if it is not the history of a job that has ended */
    static HistoryEvents read(String file, Configuration conf) throws IOException {
        Path path = path(file, conf);
        return new HistoryEvents(file, path.getFileSystem(conf), path);
    }

    /**
     * A file with the scheme of its file system. A name without one is a local file if there is one, whatever the
     * default file system is.
     *
     * @throws IOException with one sentence for the user, if there is no such file
     */
    static Path path(String file, Configuration conf) throws IOException {
        try {
            Path path = new Path(file);
            boolean here = path.toUri().getScheme() == null && Files.exists(Paths.get(file));
            FileSystem fs = here ? FileSystem.getLocal(conf) : path.getFileSystem(conf);
            if (fs.getFileStatus(path).isDirectory()) {
                throw new IOException(file + " is a directory; give a .jhist file in it");
            }
            return fs.makeQualified(path);
        } catch (FileNotFoundException e) {
            throw new IOException(file + " does not exist; give the .jhist of a finished job", e);
        } catch (UnsupportedFileSystemException e) {
            throw new IOException("'" + file + "' cannot be read: " + e.getMessage(), e);
        } catch (IllegalArgumentException e) { // a text that is no path, or a host that is unknown
            Throwable cause = e.getCause();
            String why = cause instanceof UnknownHostException ? "unknown host " + cause.getMessage() : e.getMessage();
            throw new IOException("'" + file + "' cannot be read: " + why, e);
        }
    }

    private void checkFormat(FileSystem fs, Path path) throws IOException {
        byte[] start = new byte[LONGEST_FORMAT];
        int length;
        try (DataInputStream in = fs.open(path)) {
            length = in.readNBytes(start, 0, start.length);
        }
        if (length == 0) {
            throw notAHistory("it is empty");
        }
        if (start[0] == 0x1f && (start[1] & 0xff) == 0x8b) {
            throw notAHistory("it is compressed; unpack it with gunzip first");
        }
        String text = new String(start, 0, length, StandardCharsets.ISO_8859_1);
        if (FORMATS.stream().noneMatch(text::startsWith)) {
            throw notAHistory("its first line is neither Avro-Json nor Avro-Binary; give a .jhist");
        }
    }

    /**
     * Whether the job ends in the history.
     *
     * @throws IOException one sentence if another Hadoop wrote it, whose events lack what this one's need
     */
    private boolean readAll(FileSystem fs, Path path) throws IOException {
        boolean ended = false;
        try (FSDataInputStream in = fs.open(path);
                EventReader events = new EventReader(in)) {
            for (HistoryEvent event = events.getNextEvent(); event != null; event = events.getNextEvent()) {
                ended |= LAST.contains(event.getEventType());
                if (event instanceof TaskAttemptStartedEvent) {
                    TaskAttemptStartedEvent started = (TaskAttemptStartedEvent) event;
                    if ("SPECULATIVE".equals(started.getAvataar())) {
                        speculative.add(String.valueOf(started.getTaskAttemptId()));
                    }
                }
            }
        } catch (AvroTypeException e) {
            Matcher missing = MISSING_FIELD.matcher(String.valueOf(e.getMessage()));
            if (missing.find()) {
                throw new IOException(
                        name + " was written by a Hadoop whose histories have no " + missing.group(1)
                                + "; heddle whatif and heddle pack fit read it",
                        e);
            }
            return false;
        } catch (IOException | RuntimeException e) { // the readers of Avro and JSON throw both
            return false;
        }
        return ended;
    }

    private IOException notAHistory(String why) {
        return new IOException(name + " is not a job history file: " + why);
    }

    JobInfo job() {
        return job;
    }

    /** Ids of the attempts that the history marks as backups. */
    Set<String> speculative() {
        return speculative;
    }
}
