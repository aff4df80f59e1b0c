// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.heddle.benchmarks.experiment.Curve;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Scale;
import org.heddle.benchmarks.experiment.Spread;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFilesTest {
    @TempDir
    Path directory;

    @Test
    void resultsComeBackAsTheyWereInTheirOrder() throws IOException {
        ResultFiles files = new ResultFiles(directory);
        Measurement odd = new Measurement(
                List.of(Row.of("b")
                        .with("never", Spread.of(Double.POSITIVE_INFINITY))
                        .with("none", Spread.of(Double.NaN))),
                List.of(new Curve("plot", "line", List.of(1.0, 2.0), List.of(3.0, 4.0), List.of(0.1, 0.2))));
        Result second = new Result("one", Scale.FULL, MadeUp.provenance(), odd);
        files.append(MadeUp.result("one", 100));
        files.append(second);
        files.append(MadeUp.result("other", 5));
        assertThat(files.read("one")).containsExactly(MadeUp.result("one", 100), second);
        assertThat(Files.readAllLines(files.file("one")))
                .hasSize(2)
                .allMatch(line -> line.startsWith("{\"format\":1,"));
        assertThat(files.read("nothing")).isEmpty();
    }

    @Test
    void aFullResultIsShownBeforeANewerQuickOne() throws IOException {
        ResultFiles files = new ResultFiles(directory);
        Result full = new Result("one", Scale.FULL, MadeUp.provenance(), MadeUp.measurement(1));
        files.append(MadeUp.result("one", 2));
        assertThat(files.shown("one")).contains(MadeUp.result("one", 2));
        files.append(full);
        files.append(MadeUp.result("one", 3));
        assertThat(files.shown("one")).contains(full);
        assertThat(files.newest("one", Scale.QUICK)).contains(MadeUp.result("one", 3));
    }

    @Test
    void aLineThatCannotBeReadIsNamed() throws IOException {
        ResultFiles files = new ResultFiles(directory);
        files.append(MadeUp.result("one", 1));
        String line = Files.readString(files.file("one"));
        Files.writeString(files.file("one"), line + line.replace("\"format\":1", "\"format\":2"));
        assertThatThrownBy(() -> files.read("one"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("one.jsonl, line 2 has format 2")
                .hasMessageContaining("use the version of Heddle that wrote it");
        Files.writeString(files.file("one"), "no JSON\n");
        assertThatThrownBy(() -> files.read("one")).hasMessageContaining("line 1 is not a result");
        Files.writeString(files.file("two"), line);
        assertThatThrownBy(() -> files.read("two")).hasMessageContaining("move it to one.jsonl");
    }
}
