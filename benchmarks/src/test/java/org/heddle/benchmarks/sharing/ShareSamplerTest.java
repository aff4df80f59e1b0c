// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShareSamplerTest {
    private static final ShareSampler.Amount CLUSTER = new ShareSampler.Amount(8_192, 8);

    private static Map<Framework, Double> shares(String answer) throws IOException {
        return ShareSampler.shares(new ObjectMapper().readTree(answer), CLUSTER);
    }

    @Test
    void applicationsAreAddedByTheirQueues() throws IOException {
        String answer = """
                {"apps": {"app": [
                  {"id": "a", "queue": "root.spark", "allocatedMB": 1024, "allocatedVCores": 1},
                  {"id": "b", "queue": "root.spark", "allocatedMB": 1024, "allocatedVCores": 3},
                  {"id": "c", "queue": "root.mapreduce", "allocatedMB": 4096, "allocatedVCores": 2},
                  {"id": "d", "queue": "root.default", "allocatedMB": 1024, "allocatedVCores": 1},
                  {"id": "e", "queue": "root.mpi", "allocatedMB": -1, "allocatedVCores": -1}]}}
                """;

        assertThat(shares(answer))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(Framework.SPARK, 0.5, Framework.MAP_REDUCE, 0.5, Framework.MPI, 0.0));
    }

    @Test
    void oneApplicationNeedNotBeAList() throws IOException {
        assertThat(shares(
                        "{\"apps\": {\"app\": {\"queue\": \"root.mpi\", \"allocatedMB\": 0, \"allocatedVCores\": 2}}}"))
                .containsExactly(Map.entry(Framework.MPI, 0.25));
    }

    @Test
    void withoutApplicationsNobodyIsPresent() throws IOException {
        assertThat(shares("{\"apps\": null}")).isEmpty();
        assertThat(shares("{\"apps\": {}}")).isEmpty();
    }
}
