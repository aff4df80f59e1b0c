// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.jobhistory.Event;
import org.apache.hadoop.mapreduce.jobhistory.EventReader;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.JobInfo;

/**
 * Reads one {@code .jhist} with Hadoop's own parser. Each history carries the schema of the Hadoop that wrote it; where
 * that lacks fields which today's has, they are read as empty or 0, because Hadoop's reader would refuse the whole
 * file.
 */
final class HistoryFile {
    private static final String JSON = "Avro-Json";
    private static final String BINARY = "Avro-Binary";
    private static final Schema TODAY = Event.getClassSchema();
    private static final Schema LENIENT = LenientSchema.of(TODAY);

    private HistoryFile() {}

    /** @throws IOException one sentence without the file's name, if it is no history of a job, or not a whole one */
    static JobInfo read(FileSystem fs, Path file) throws IOException {
        try (FSDataInputStream in = fs.open(file)) {
            JobHistoryParser parser = new JobHistoryParser(in);
            JobInfo job;
            try {
                job = parser.parse(new EventReader(upToDate(in)));
            } catch (RuntimeException e) { // the parser trusts the order of events, and their ids
                throw new IOException(
                        "its events do not belong together: one names a task or an id that is not there", e);
            }
            if (parser.getParseException() != null) {
                throw new IOException("it is cut, or has an event that cannot be read", parser.getParseException());
            }
            if (job.getJobId() == null) {
                throw new IOException("it does not say which job was submitted");
            }
            return job;
        }
    }

    /** The same events in the form of today's schema. */
    private static DataInputStream upToDate(FSDataInputStream in) throws IOException {
        String form = line(in);
        if (!List.of(JSON, BINARY).contains(form)) {
            String foreign = ForeignFormat.of(form);
            throw new IOException("it is no job history: "
                    + (foreign == null ? "its first line is neither " + JSON + " nor " + BINARY : foreign));
        }
        Schema written;
        try {
            written = new Schema.Parser().parse(line(in));
        } catch (AvroRuntimeException e) {
            throw new IOException("it is no job history: its second line is no schema of Avro", e);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write((BINARY + "\n" + TODAY + "\n").getBytes(StandardCharsets.UTF_8));
        Decoder decoder;
        if (form.equals(JSON)) {
            decoder = DecoderFactory.get().jsonDecoder(written, in);
        } else {
            decoder = DecoderFactory.get().binaryDecoder(in, null);
        }
        copy(new GenericDatumReader<>(written, LENIENT), decoder, bytes);
        return new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    }

    private static void copy(GenericDatumReader<GenericRecord> from, Decoder decoder, ByteArrayOutputStream to)
            throws IOException {
        BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(to, null);
        GenericDatumWriter<GenericRecord> writer = new GenericDatumWriter<>(TODAY);
        while (true) {
            GenericRecord event;
            try {
                event = from.read(null, decoder);
            } catch (EOFException e) {
                return;
            } catch (JsonProcessingException | AvroRuntimeException e) {
                throw new IOException("it is cut, or has an event that cannot be read", e);
            }
            writer.write(event, encoder);
        }
    }

    private static String line(FSDataInputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8).strip();
    }
}
