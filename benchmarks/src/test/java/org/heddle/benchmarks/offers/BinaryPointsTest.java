// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.SequenceFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BinaryPointsTest {
    @TempDir
    private java.nio.file.Path directory;

    @Test
    void theyAreTheNumbersOfTheText() throws Exception {
        FileSystem files = FileSystem.getLocal(new Configuration());
        Path text = new Path(directory.resolve("text").toString());
        Path binary = new Path(directory.resolve("binary").toString());
        Points.write(files, text.toString(), 50, 3);
        BinaryPoints.write(files, text, binary);
        List<String> read = new ArrayList<>();
        try (SequenceFile.Reader records = new SequenceFile.Reader(files.getConf(), SequenceFile.Reader.file(binary))) {
            BytesWritable value = new BytesWritable();
            while (records.next(NullWritable.get(), value)) {
                double[] numbers = new double[value.getLength() / Double.BYTES];
                ByteBuffer.wrap(value.getBytes()).asDoubleBuffer().get(numbers);
                read.add(VectorSums.format(numbers));
            }
        }
        List<String> written = TextFiles.lines(files, text.toString()).stream()
                .map(line -> VectorSums.format(VectorSums.parse(line)))
                .toList();
        assertThat(read).hasSize(50).isEqualTo(written);
    }
}
