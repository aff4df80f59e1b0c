// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.frameworks.offers.Size;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ten CPUs, memory in plenty. Jobs are written CPUs:walltime, running ones CPUs:end, the time is 0. */
class BackfillTest {
    private static final Size CAPACITY = new Size(10, 100_000);

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    all that fit start, in order             |           | 4:100 4:100 2:100       | 0 1 2
                    the first that does not fit waits        | 8:50      | 4:100                   |
                    a short one passes: it ends before       | 8:50      | 4:100 2:50              | 1
                    a long one does not pass                 | 8:50      | 9:100 2:51              |
                    a long one passes beside the reservation | 8:50      | 4:100 2:5000            | 1
                    but not two of them, if only one fits    | 6:50      | 8:100 2:999 2:999       | 1
                    the reservation counts what starts now   | 4:50      | 6:10 10:1 4:10          | 0
                    passing ones take their room             | 6:50      | 8:10 3:50 2:50          | 1
                    one that never fits stops nobody         |           | 11:10 3:10              | 1
                    one over its walltime still holds room   | 8:-20     | 9:100 2:1               |
                    one that takes all has the cluster alone | 1:70      | 10:10 9:70 9:10         | 1
                    several must end before there is room    | 5:10 5:90 | 8:100 5:1               |
                    """)
    void starts(String name, String running, String queue, String expected) {
        List<Backfill.Running> placed = new ArrayList<>();
        for (String[] one : split(running)) {
            placed.add(new Backfill.Running(new Size(Double.parseDouble(one[0]), 1), Long.parseLong(one[1])));
        }
        List<Backfill.Waiting> waiting = new ArrayList<>();
        for (String[] one : split(queue)) {
            waiting.add(new Backfill.Waiting(
                    new Part("job", waiting.size()), new Size(Double.parseDouble(one[0]), 1), Long.parseLong(one[1])));
        }
        List<String> starts = Backfill.starts(waiting, placed, CAPACITY, 0).stream()
                .map(part -> Integer.toString(part.index))
                .toList();
        assertThat(String.join(" ", starts)).as(name).isEqualTo(expected == null ? "" : expected);
    }

    private static List<String[]> split(String text) {
        return text == null
                ? List.of()
                : Arrays.stream(text.split(" ", -1))
                        .map(one -> one.split(":", -1))
                        .toList();
    }

    @ParameterizedTest
    @CsvSource({"10, 50, false", "2, 100001, false", "10, 100000, true"})
    void memoryCountsAsWell(double cpus, double memMb, boolean starts) {
        Backfill.Waiting one = new Backfill.Waiting(new Part("job", 0), new Size(cpus, memMb), 10);
        Backfill.Running other = new Backfill.Running(new Size(0, starts ? 0 : 99_999), 100);
        assertThat(Backfill.starts(List.of(one), List.of(other), CAPACITY, 0)).hasSize(starts ? 1 : 0);
    }
}
