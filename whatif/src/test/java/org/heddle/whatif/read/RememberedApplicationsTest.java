// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.heddle.whatif.model.Job;
import org.heddle.whatif.model.Size;
import org.junit.jupiter.api.Test;

class RememberedApplicationsTest {
    private static final String APPLICATIONS = """
            {"apps": {"app": [
              {"id": "application_1_0001", "user": "alice", "queue": "root.etl", "startedTime": 10000,
               "launchTime": 20000, "finishedTime": 120000, "memorySeconds": 1024000, "vcoreSeconds": 1000},
              {"id": "application_1_0002", "user": "bob", "queue": "adhoc", "startedTime": 5000,
               "finishedTime": 5000, "memorySeconds": 0, "vcoreSeconds": 0},
              {"id": "application_1_0003", "user": "bob", "queue": "adhoc", "startedTime": 5000,
               "finishedTime": 15000, "memorySeconds": 20480, "vcoreSeconds": 40}
            ]}}
            """;

    @Test
    void anApplicationRunsAsManyContainersAsItsSumsMake() throws HistoryException {
        assertThat(RememberedApplications.applications(APPLICATIONS, 1_024, "rm")
                        .jobs())
                .as("one never ran")
                .extracting(Job::id)
                .containsExactly("application_1_0003", "application_1_0001");
        Job job = RememberedApplications.applications(APPLICATIONS, 1_024, "rm")
                .jobs()
                .get(1);
        assertThat(job.master()).isEqualTo(new Size(1_024, 1));
        assertThat(job.groups().get(0).millis()).hasSize(9).containsOnly(100_000);
        Job small = RememberedApplications.applications(APPLICATIONS, 4_096, "rm")
                .jobs()
                .get(0);
        assertThat(small.groups()).as("it fits into the master").isEmpty();
        assertThat(small.startMillis()).isEqualTo(10_000);
        assertThat(small.master()).isEqualTo(new Size(4_096, 4));
    }

    @Test
    void nodesThatRun() throws HistoryException {
        String json = """
                {"nodes": {"node": [{"nodeHostName": "a", "usedMemoryMB": 1024, "availMemoryMB": 7168,
                  "usedVirtualCores": 1, "availableVirtualCores": 7}]}}
                """;
        assertThat(RememberedApplications.nodes(json, "rm")).containsExactly(new Size(8_192, 8));
    }

    @Test
    void aNodeOnWhichContainersStartMeanwhile() throws HistoryException {
        String json = """
                {"nodes": {"node": [{"nodeHostName": "a", "usedMemoryMB": 1024, "availMemoryMB": 5120,
                  "usedVirtualCores": 1, "availableVirtualCores": 5,
                  "totalResource": {"memory": 8192, "vCores": 8}}]}}
                """;
        assertThat(RememberedApplications.nodes(json, "rm")).containsExactly(new Size(8_192, 8));
    }

    @Test
    void otherAnswersAreSaidInOneSentence() {
        assertThatThrownBy(() -> RememberedApplications.applications("{\"apps\": null}", 1_024, "http://rm"))
                .hasMessageStartingWith("http://rm remembers no application that ran");
        assertThatThrownBy(() -> RememberedApplications.applications("<html>", 1_024, "http://rm"))
                .hasMessageStartingWith("http://rm does not answer as a ResourceManager does");
        assertThatThrownBy(() -> RememberedApplications.nodes("{}", "http://rm"))
                .hasMessageStartingWith("http://rm has no running node");
    }
}
