// SPDX-License-Identifier: Apache-2.0
package org.heddle.engines;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.heddle.acceptance.Cluster;
import org.heddle.acceptance.CommandResult;
import org.heddle.acceptance.KeepLogs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The stock MapReduce programs and Hadoop Streaming, with LATE in their ApplicationMasters. */
@ExtendWith(KeepLogs.class)
class MapReduceIT {
    private static final String QUEUES =
            "<heddle-scheduler version=\"1\"><queue name=\"root\"><queue name=\"batch\"/></queue></heddle-scheduler>";
    private static final int ROWS = 20_000;
    private static final String TEXT = "the cat sat on the mat\nthe dog sat on the cat\nthe end\n";
    private static final Pattern CHECKSUM = Pattern.compile("CHECKSUM=(\\d+)");

    @Test
    void stockProgramsAreRight() throws Exception {
        try (Cluster cluster = Engines.start(QUEUES)) {
            MapReduce jobs = new MapReduce(cluster);
            CommandResult generated = run(jobs, "teragen", "-Dmapreduce.job.maps=3", ROWS, "/tera/in");
            run(jobs, "terasort", "-Dmapreduce.job.reduces=2", "/tera/in", "/tera/out");
            run(jobs, "teravalidate", "/tera/out", "/tera/report");
            // One line, with the sum of all rows' checksums; a line more for each that is out of order.
            assertThat(Engines.read(cluster, "/tera/report/part-r-00000").strip())
                    .isEqualTo("checksum\t" + Long.toHexString(checksum(generated.text())));

            assertThat(run(jobs, "pi", 3, 1_000).out()).contains("Estimated value of Pi is 3.14");

            jobs.put(TEXT, "/words/in/text");
            run(jobs, "wordcount", "/words/in", "/words/out");
            assertThat(Engines.read(cluster, "/words/out/part-r-00000").lines())
                    .containsExactly("cat\t2", "dog\t1", "end\t1", "mat\t1", "on\t2", "sat\t2", "the\t5");

            jobs.streaming("alice", "batch")
                    .and("-Dmapreduce.job.reduces=1", "-input", "/words/in", "-output", "/words/streamed")
                    .and("-mapper", "tr ' ' '\\n'", "-reducer", "uniq -c")
                    .run()
                    .orFail();
            assertThat(Engines.read(cluster, "/words/streamed/part-00000")
                            .lines()
                            .map(line -> line.strip()))
                    .containsExactly("2 cat", "1 dog", "1 end", "1 mat", "2 on", "2 sat", "5 the");

            List<Application> all = Application.all(cluster);
            assertThat(all).allSatisfy(app -> assertThat(app.finalStatus()).isEqualTo("SUCCEEDED"));
            for (Application app : all) {
                // The program pi switches speculation off by itself.
                boolean speculates = !app.name().equals("QuasiMonteCarlo");
                assertThat(decisions(cluster, app.id()) > 0)
                        .as("LATE's log of %s", app.name())
                        .isEqualTo(speculates);
            }
        }
    }

    private static CommandResult run(MapReduce jobs, String program, Object... arguments) throws IOException {
        return jobs.example("alice", "batch", program).and(arguments).run().orFail();
    }

    /** TeraGen's own counter. */
    private static long checksum(String text) {
        Matcher found = CHECKSUM.matcher(text);
        assertThat(found.find()).as("a counter CHECKSUM in %s", text).isTrue();
        return Long.parseLong(found.group(1));
    }

    /** Size of what LATE's speculator wrote of an application. */
    private static long decisions(Cluster cluster, String id) throws IOException {
        try (Stream<Path> all = Files.walk(cluster.directory().resolve("data"))) {
            return all.filter(path ->
                            path.endsWith("late.jsonl") && path.toString().contains(id))
                    .mapToLong(path -> path.toFile().length())
                    .sum();
        }
    }
}
