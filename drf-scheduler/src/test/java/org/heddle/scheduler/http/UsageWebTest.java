// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.heddle.scheduler.accounting.HourlyUsage;
import org.heddle.scheduler.accounting.UsageRow;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Usage against the web server of a real ResourceManager. */
@Tag("newer-line")
class UsageWebTest {
    private static final String NOVEMBER = "?month=2026-11";
    private static WebServer server;

    @BeforeAll
    static void start() {
        server = new WebServer(Map.of());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void showSomething() {
        server.show(hour());
    }

    /** Two users; the name of one application is a trap for pages and spreadsheets. */
    static HourlyUsage hour() {
        long start = Instant.parse("2026-11-23T08:00:00Z").toEpochMilli();
        return new HourlyUsage(
                start,
                start + 60_000,
                List.of(
                        new UsageRow(
                                "root.science",
                                "alice",
                                "application_1_0001",
                                "=cmd()<script>,\"x\"",
                                "SPARK",
                                Map.of("memory-mb", 7_372_800_000L, "vcores", 7_200_000L, "yarn.io/gpu", 3_600_000L),
                                12,
                                1),
                        new UsageRow(
                                "root.sales",
                                "bob",
                                "application_1_0002",
                                "sort",
                                "MAPREDUCE",
                                Map.of("memory-mb", 3_686_400_000L, "vcores", 3_600_000L),
                                5,
                                0)));
    }

    @Test
    void thePageHasATableWithTotalsAndKeepsTheTrapHarmless() throws Exception {
        HttpResponse<String> page = server.get("/heddle/usage?by=user,application,name&from=2026-11-01&to=2026-11-30");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                .contains("default-src");
        assertThat(page.body())
                .contains("memory, GiB hours", "yarn.io/gpu, hours", ">2.00<meter", "alice", "2026-11-01 to 2026-11-30")
                .contains("<td>3.00</td>")
                .contains("<option value=\"user,application,name\" selected>")
                .contains("v1/usage.csv?by=user,application,name&amp;from=2026-11-01")
                .contains("=cmd()&lt;script&gt;")
                .doesNotContain("<script>,");
        server.show(new HourlyUsage(0, 0, List.of()));
        assertThat(server.get("/heddle/usage").body()).contains("No application has used anything in this time.");
    }

    @Test
    void jsonHasSecondsAsYarnHasThem() throws Exception {
        JsonNode body = new ObjectMapper()
                .readTree(server.get("/heddle/v1/usage" + NOVEMBER).body());
        assertThat(body.path("version").asInt()).isEqualTo(1);
        JsonNode alice = body.path("usage").get(0);
        assertThat(alice.path("user").asText()).isEqualTo("alice");
        assertThat(alice.path("resourceSeconds").path("memory-mb").asDouble()).isEqualTo(7_372_800.0);
        assertThat(alice.path("containers").asInt()).isEqualTo(12);
    }

    @Test
    void aSpreadsheetTakesNoNameForAFormula() throws Exception {
        HttpResponse<String> csv = server.get("/heddle/v1/usage.csv" + NOVEMBER + "&by=user,name");
        assertThat(csv.headers().firstValue("Content-Type").orElse("")).startsWith("text/csv");
        assertThat(csv.body())
                .isEqualTo("user,name,memory-mb-seconds,vcores-seconds,yarn.io/gpu-seconds,applications,containers,"
                        + "preempted\r\n"
                        + "alice,\"'=cmd()<script>,\"\"x\"\"\",7372800.000,7200.000,3600.000,1,12,1\r\n"
                        + "bob,sort,3686400.000,3600.000,0.000,1,5,0\r\n");
    }

    @Test
    void wrongParametersAndASwitchedOffAccountingAreExplained() throws Exception {
        HttpResponse<String> wrong = server.get("/heddle/v1/usage?by=planet");
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(wrong.body()).contains("by contains 'planet'; there are month, day");
        server.show(new HourlyUsage[0]);
        HttpResponse<String> off = server.get("/heddle/usage");
        assertThat(off.statusCode()).isEqualTo(404);
        assertThat(off.body()).contains("yarn.scheduler.heddle.usage.directory is none; set it to a directory");
    }
}
