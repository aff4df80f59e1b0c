// SPDX-License-Identifier: Apache-2.0
package org.heddle.samples;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.heddle.market.DynamicPriorityScheduler;
import org.heddle.market.yarn.MarketKeys;
import org.heddle.scheduler.config.SchedulerKeys;
import org.heddle.testkit.Await;
import org.heddle.testkit.machine.SystemPackage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** What Prometheus and Grafana read, compared with what a ResourceManager really exports. */
@Loads("monitoring/*")
class MonitoringTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern METRIC = Pattern.compile("\\b(heddle_[a-z_0-9]+|up)\\b");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=");
    private static final Pattern BY = Pattern.compile("(?:by|on) ?\\(([a-z, ]+)\\)");
    private static final Pattern LEGEND = Pattern.compile("\\{\\{ ?(?:\\$labels\\.)?([a-z]+) ?}}");
    /** Those that Prometheus adds to every series. */
    private static final Set<String> PROMETHEUS = Set.of("job", "instance");

    /** Names of metrics, and the names of their labels. */
    private static final Map<String, Set<String>> EXPORTED = new TreeMap<>();

    @BeforeAll
    static void askAResourceManager(@TempDir Path directory) throws Exception {
        YarnConfiguration conf = Samples.manager(Path.of("drf", "minimal", "yarn-site.xml"));
        conf.set(
                SchedulerKeys.CONFIGURATION_FILE.name(),
                Samples.file("drf/minimal/heddle-scheduler.xml").toString());
        conf.set(YarnConfiguration.RM_SCHEDULER, DynamicPriorityScheduler.class.getName());
        conf.set(MarketKeys.STORE_DIRECTORY.name(), directory.toString());
        conf.setBoolean(YarnConfiguration.YARN_ACL_ENABLE, true);
        conf.setBoolean("hadoop.prometheus.endpoint.enabled", true);
        try (ResourceManager rm = new ResourceManager()) {
            rm.init(conf);
            rm.start();
            read(conf, "heddle-scheduler");
            Await.until("the market's metrics at /prom", Duration.ofSeconds(60), () -> {
                DefaultMetricsSystem.instance().publishMetricsNow(); // gives up a slow sink
                read(conf, "heddle-market");
                return EXPORTED.keySet().containsAll(Set.of("heddle_market_open", "heddle_market_price"));
            });
        }
        // This cluster has no node, and nobody holds anything: the families are there without a sample.
        assertThat(EXPORTED).containsKeys("heddle_capacity", "heddle_queue_usage");
        EXPORTED.put("heddle_capacity", Set.of("resource"));
        EXPORTED.put("heddle_queue_usage", Set.of("queue", "resource"));
        EXPORTED.put("heddle_pending", Set.of("label", "resource"));
        assertThat(EXPORTED).hasSizeGreaterThan(12);
        readThoseOfTheBridge();
    }

    /** From the guide, which a test of the bridge compares with what the bridge exports. */
    private static void readThoseOfTheBridge() throws IOException {
        Matcher metric = Pattern.compile("^\\| `(heddle_bridge_[a-z_]+)` \\|", Pattern.MULTILINE)
                .matcher(Files.readString(Path.of("../docs/bridge-operators.md")));
        while (metric.find()) {
            EXPORTED.put(metric.group(1), Set.of());
        }
        EXPORTED.put("heddle_bridge_updates_task_lost", Set.of());
        assertThat(EXPORTED).containsKeys("heddle_bridge_warnings", "heddle_bridge_offers_sent");
    }

    /** The guide's table of alerts has each rule of the bridge. */
    @Test
    void theGuideHasTheAlertsOfTheBridge() throws Exception {
        String guide = Files.readString(Path.of("../docs/bridge-operators.md"));
        Set<String> described = new TreeSet<>();
        Matcher row = Pattern.compile("^\\| `(HeddleBridge[A-Za-z]+)` \\|", Pattern.MULTILINE)
                .matcher(guide);
        while (row.find()) {
            described.add(row.group(1));
        }
        Set<String> rules = new TreeSet<>();
        for (JsonNode group : yaml("heddle-alerts.yml").withArray("groups")) {
            if (group.path("name").asText().equals("heddle-bridge")) {
                group.withArray("rules")
                        .forEach(rule -> rules.add(rule.path("alert").asText()));
            }
        }
        assertThat(described).isEqualTo(rules);
    }

    private static void read(YarnConfiguration conf, String job) throws Exception {
        HttpResponse<String> metrics = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(Samples.web(conf) + path(job)))
                                .build(),
                        BodyHandlers.ofString());
        assertThat(metrics.statusCode()).as(metrics.body()).isEqualTo(200);
        for (String line : metrics.body().split("\n", -1)) {
            boolean comment = line.startsWith("# ");
            String name = comment ? line.split(" ", 4)[2] : line.split("[{ ]", 2)[0];
            if (name.startsWith("heddle_")) {
                Set<String> labels = EXPORTED.computeIfAbsent(name, any -> new TreeSet<>());
                Matcher label = LABEL.matcher(comment ? "" : line);
                while (label.find()) {
                    labels.add(label.group(1));
                }
            }
        }
    }

    private static JsonNode yaml(String file) throws IOException {
        return JSON.valueToTree(
                new Yaml(new SafeConstructor(new LoaderOptions())).load(Samples.text("monitoring/" + file)));
    }

    private static JsonNode job(String name) throws IOException {
        for (JsonNode job : yaml("prometheus.yml").withArray("scrape_configs")) {
            if (job.path("job_name").asText().equals(name)) {
                return job;
            }
        }
        throw new AssertionError("prometheus.yml has no job " + name);
    }

    private static String path(String job) throws IOException {
        return job(job).path("metrics_path").asText();
    }

    /** Every metric of an expression is exported, and has every label by which it is chosen or summed. */
    private static void check(String where, String expression) throws IOException {
        Set<String> labels = new HashSet<>(PROMETHEUS);
        Set<String> names = new TreeSet<>();
        Matcher metric = METRIC.matcher(expression.replaceAll("\"[^\"]*\"", ""));
        while (metric.find()) {
            names.add(metric.group(1));
        }
        assertThat(names).as("metrics of %s", where).isNotEmpty();
        for (String name : names) {
            assertThat(name.equals("up") || EXPORTED.containsKey(name))
                    .as("%s of %s is exported", name, where)
                    .isTrue();
            labels.addAll(EXPORTED.getOrDefault(name, Set.of()));
        }
        Matcher selector = Pattern.compile("([a-z_]+) ?(?:=~|!=|=)\\s*\"").matcher(expression);
        while (selector.find()) {
            assertThat(labels).as("labels of %s", where).contains(selector.group(1));
        }
        Matcher by = BY.matcher(expression);
        while (by.find()) {
            assertThat(labels).as("labels of %s", where).contains(by.group(1).split(", ?"));
        }
        Matcher job = Pattern.compile("job=\"([^\"]+)\"").matcher(expression);
        while (job.find()) {
            assertThat(job(job.group(1))).isNotNull();
        }
        assertThat(expression.chars().filter(c -> c == '(').count())
                .isEqualTo(expression.chars().filter(c -> c == ')').count());
    }

    private static void checkLegend(String where, String expression, String text) {
        Matcher label = LEGEND.matcher(text);
        while (label.find()) {
            Set<String> labels = new HashSet<>(PROMETHEUS);
            Matcher metric = METRIC.matcher(expression);
            while (metric.find()) {
                labels.addAll(EXPORTED.getOrDefault(metric.group(1), Set.of()));
            }
            assertThat(labels).as("text of %s", where).contains(label.group(1));
        }
    }

    @Test
    void prometheusScrapesWhereTheMetricsAre() throws Exception {
        assertThat(path("heddle-scheduler")).isEqualTo("/heddle/metrics");
        assertThat(job("heddle-scheduler").path("follow_redirects").asBoolean(true))
                .as("or the standby would answer with the active one's figures")
                .isFalse();
        assertThat(path("heddle-bridge")).isEqualTo("/metrics");
        assertThat(yaml("prometheus.yml").at("/rule_files/0").asText()).isEqualTo("heddle-alerts.yml");
    }

    @Test
    void prometheusOwnCheckTakesThem(@TempDir Path directory) throws Exception {
        SystemPackage.require("promtool", "prometheus");
        for (String[] check : new String[][] {{"config", "prometheus.yml"}, {"rules", "heddle-alerts.yml"}}) {
            Commands.Outcome checked = Commands.run(
                    directory,
                    Map.of(),
                    "promtool",
                    "check",
                    check[0],
                    Samples.file("monitoring/" + check[1]).toString());
            assertThat(checked.code()).as(checked.out() + checked.err()).isZero();
        }
    }

    @Test
    void everyAlertIsAboutMetricsThatExist() throws Exception {
        Set<String> names = new HashSet<>();
        for (JsonNode group : yaml("heddle-alerts.yml").withArray("groups")) {
            for (JsonNode rule : group.withArray("rules")) {
                String name = rule.path("alert").asText();
                assertThat(names.add(name)).as("%s stands there once", name).isTrue();
                String expression = rule.path("expr").asText();
                check(name, expression);
                JsonNode annotations = rule.path("annotations");
                assertThat(annotations.fieldNames()).toIterable().containsExactlyInAnyOrder("summary", "description");
                checkLegend(name, expression, annotations.toString());
                assertThat(rule.at("/labels/severity").asText()).isIn("critical", "warning", "info");
            }
        }
        assertThat(names).hasSizeGreaterThanOrEqualTo(6);
    }

    @Test
    void everyPanelShowsMetricsThatExist() throws Exception {
        JsonNode dashboard = JSON.readTree(Samples.text("monitoring/heddle-dashboard.json"));
        Set<Integer> ids = new HashSet<>();
        List<int[]> places = new ArrayList<>();
        for (JsonNode panel : dashboard.get("panels")) {
            String title = panel.get("title").asText();
            assertThat(ids.add(panel.get("id").asInt())).as(title).isTrue();
            JsonNode place = panel.get("gridPos");
            int x = place.get("x").asInt();
            int y = place.get("y").asInt();
            int[] box = {x, y, x + place.get("w").asInt(), y + place.get("h").asInt()};
            assertThat(box[2]).as("%s fits the width of 24", title).isLessThanOrEqualTo(24);
            assertThat(places)
                    .allSatisfy(other -> assertThat(
                                    box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3])
                            .as("%s lies on another panel", title)
                            .isFalse());
            places.add(box);
            for (JsonNode target : panel.get("targets")) {
                String expression = target.get("expr").asText();
                check(title, expression);
                checkLegend(title, expression, target.get("legendFormat").asText());
                assertThat(target.at("/datasource/uid").asText()).isEqualTo("${datasource}");
            }
        }
        assertThat(ids).hasSizeGreaterThan(10);
        assertThat(dashboard.at("/templating/list").findValuesAsText("name")).contains("datasource", "queue");
        check(
                "the choice of queues",
                dashboard.at("/templating/list/1/query/query").asText());
    }
}
