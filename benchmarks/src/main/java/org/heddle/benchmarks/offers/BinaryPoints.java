// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.SequenceFile.Writer;

/**
 * Labelled points in a SequenceFile without compression. A value is the numbers of a line of {@link Points} as doubles
 * of eight bytes; there are no keys.
 */
final class BinaryPoints {
    private BinaryPoints() {}

    /** Writes the points of a file of text. */
    static void write(FileSystem files, Path text, Path binary) throws IOException {
        try (BufferedReader lines = TextFiles.reader(files, text);
                FSDataOutputStream out = files.create(binary);
                Writer values = SequenceFile.createWriter(
                        files.getConf(),
                        Writer.stream(out),
                        Writer.keyClass(NullWritable.class),
                        Writer.valueClass(BytesWritable.class),
                        Writer.compression(SequenceFile.CompressionType.NONE))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                values.append(NullWritable.get(), new BytesWritable(bytes(VectorSums.parse(line))));
            }
        }
    }

    private static byte[] bytes(double[] numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Double.BYTES);
        bytes.asDoubleBuffer().put(numbers);
        return bytes.array();
    }
}
