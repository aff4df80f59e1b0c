// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.scheduler.config.Json;
import org.heddle.scheduler.config.site.Site;
import org.heddle.settings.Clocks;
import org.heddle.settings.web.WebAddress;
import org.heddle.settings.web.WebAnswer;
import org.heddle.settings.web.WebClient;

/** Checks of the running ResourceManagers and the history server, through their REST interfaces. */
final class Daemons {
    private static final int OLDEST_JAVA = 17;
    private static final long MOST_CLOCK_SKEW_MILLIS = 300_000;
    private static final Pattern OURS = Pattern.compile("heddle-([a-z-]+?)-(\\d.*)\\.jar");

    private final Site site;
    private final Duration patience;
    private final String user;
    private final Clocks clocks;
    private final Findings findings;
    private final Set<String> schedulers = new TreeSet<>();
    private final Set<String> releases = new TreeSet<>();
    private int reached;
    private int active;

    /**
     * @param patience how long a daemon may take to answer
     * @param user the user.name for simple authentication; empty for none
     * @param clocks of this machine, with which those of the daemons are compared
     */
    Daemons(Site site, Duration patience, String user, Clocks clocks, Findings findings) {
        this.site = site;
        this.patience = patience;
        this.user = user;
        this.clocks = clocks;
        this.findings = findings;
    }

    /** @param urls the ResourceManagers' web addresses; those of the site files if it is empty */
    void check(List<URI> urls) {
        List<URI> all = urls.isEmpty() ? ofSite() : urls;
        for (URI url : all) {
            findings.section("ResourceManager " + url);
            try {
                resourceManager(url);
            } catch (IOException e) {
                String why = String.valueOf(e.getMessage());
                if (urls.isEmpty()) {
                    findings.notChecked(why);
                } else {
                    findings.problem(why, "start the ResourceManager, or give its web address with --rm");
                }
            }
        }
        if (reached > 1) {
            findings.section("the pair");
            pair();
        }
        if (site.path("mapred-site.xml") != null) {
            findings.section("history server");
            history();
        }
    }

    private List<URI> ofSite() {
        try {
            return WebAddress.ofResourceManagers(site::get);
        } catch (IllegalArgumentException e) {
            findings.section("ResourceManagers");
            findings.problem("yarn-site.xml: " + e.getMessage(), "correct it, or give addresses with --rm");
            return List.of();
        }
    }

    /** Kerberos refuses tickets of a machine whose clock differs by more than five minutes from the KDC's. */
    private void clock(long aheadMillis) {
        if (Math.abs(aheadMillis) <= MOST_CLOCK_SKEW_MILLIS) {
            return;
        }
        String text = "its clock is " + Math.abs(aheadMillis) / 1000 + " s " + (aheadMillis > 0 ? "ahead of" : "behind")
                + " that of this machine";
        if (site.get("hadoop.security.authentication", "simple").equalsIgnoreCase("kerberos")) {
            findings.problem(
                    text + "; Kerberos allows 300 s by default", "synchronize the clocks of all machines (NTP)");
        } else {
            findings.note(text);
        }
    }

    /** The body of an answer; empty if it is not a JSON object. */
    private static Map<String, Object> json(WebAnswer answer) throws IOException {
        try {
            return answer.isOk() ? Json.parse(answer.body()) : Map.of();
        } catch (JsonProcessingException e) {
            return Map.of();
        }
    }

    private WebAnswer get(URI url, String path) throws IOException {
        return new WebClient(List.of(url), patience, "")
                .as(user)
                .send("GET", path, "", Map.of("Accept", "application/json"));
    }

    private void resourceManager(URI url) throws IOException {
        WebAnswer answer = get(url, "/ws/v1/cluster/info");
        clock(answer.date() == 0 ? 0 : answer.date() - clocks.date());
        if (answer.wantsLogin()) {
            findings.notChecked(
                    url + ": it requires authentication (" + answer.status() + "); run kinit, or give --user");
            return;
        }
        if (!answer.isOk() || Json.string(json(answer), "clusterInfo", "state").isEmpty()) {
            findings.problem(
                    url + " is not a ResourceManager (" + answer.status() + ")",
                    "give the ResourceManager's web address with --rm");
            return;
        }
        reached++;
        Object info = Json.at(json(answer), "clusterInfo");
        String hadoop = Json.string(info, "hadoopVersion");
        String ha = Json.string(info, "haState").toLowerCase(Locale.ROOT);
        active += ha.equals("active") ? 1 : 0;
        findings.ok("Hadoop " + hadoop + ", " + Json.string(info, "state").toLowerCase(Locale.ROOT) + ", " + ha);
        process(url, hadoop);
        boolean ours = scheduler(url);
        if (ours && ha.equals("active")) {
            heddle(url);
        } else if (ours) {
            findings.note("its configuration and counters can be seen only while it is active");
        }
        if (ha.equals("active")) {
            nodes(url);
        }
    }

    /** The Java process: version, flags, our jars on its class path. */
    private void process(URI url, String hadoop) throws IOException {
        WebAnswer answer = get(url, "/jmx?qry=java.lang:type=Runtime");
        if (!answer.isOk() || !(Json.at(json(answer), "beans") instanceof List<?> beans) || beans.isEmpty()) {
            findings.notChecked("its Java version and class path: /jmx answers " + answer.status());
            return;
        }
        Object runtime = beans.get(0);
        String java = Json.string(runtime, "SpecVersion");
        if (java.matches("\\d+") && Integer.parseInt(java) >= OLDEST_JAVA) {
            findings.ok("runs on Java " + java);
        } else {
            findings.problem(
                    "runs on Java " + java + ", and Heddle needs " + OLDEST_JAVA, "set JAVA_HOME in its hadoop-env.sh");
        }
        if (hadoop.startsWith("3.4")
                && !String.valueOf(Json.at(runtime, "InputArguments")).contains(JavaCheck.OPEN)) {
            findings.problem(
                    "runs without --add-opens " + JavaCheck.OPEN + ", which Hadoop " + hadoop + " needs on Java "
                            + java,
                    "add it to HADOOP_OPTS in its hadoop-env.sh and restart it");
        }
        jars(Json.string(runtime, "ClassPath"));
    }

    private void jars(String classPath) {
        Set<String> artifacts = new TreeSet<>();
        Set<String> names = new LinkedHashSet<>();
        for (String entry : classPath.split(Pattern.quote(File.pathSeparator), -1)) {
            String name = entry.substring(entry.lastIndexOf('/') + 1);
            Matcher ours = OURS.matcher(name);
            if (ours.matches()) {
                names.add(entry);
                if (!artifacts.add(ours.group(1))) {
                    findings.problem(
                            "heddle-" + ours.group(1) + " is on its class path more than once: " + classPathOf(names),
                            "remove all but one and restart it");
                }
                if (name.matches(".*-(tests|sources|javadoc)\\.jar")) {
                    findings.problem(entry + " is on its class path", "remove it and restart the ResourceManager");
                }
                releases.add(ours.group(2));
            }
        }
        if (!names.isEmpty()) {
            findings.ok("has loaded from " + classPathOf(names));
        }
    }

    private static String classPathOf(Set<String> names) {
        return String.join(", ", names);
    }

    /** Whether the scheduler in force is ours. */
    private boolean scheduler(URI url) throws IOException {
        WebAnswer answer = get(url, "/conf?name=" + SiteKeys.SCHEDULER + "&format=json");
        String inForce = Json.string(json(answer), "property", "value");
        if (inForce.isEmpty()) {
            findings.notChecked("which scheduler is in force: /conf answers " + answer.status());
            return get(url, "/heddle/v1/config").isOk();
        }
        schedulers.add(inForce);
        String configured = site.get(SiteKeys.SCHEDULER, "");
        if (!configured.isEmpty() && !configured.equals(inForce)) {
            findings.problem(
                    "the scheduler in force is " + inForce + ", and " + site.where(SiteKeys.SCHEDULER) + " says "
                            + configured,
                    "restart the ResourceManager with this configuration");
        } else {
            findings.ok("the scheduler in force is " + inForce);
        }
        return inForce.startsWith("org.heddle.");
    }

    private void heddle(URI url) throws IOException {
        WebAnswer answer = get(url, "/heddle/v1/scheduler");
        if (!answer.isOk() || !json(answer).containsKey("configuration")) {
            findings.problem(
                    "/heddle/v1/scheduler answers " + answer.status() + " and not Heddle's state",
                    "see the ResourceManager's log for org.heddle at its start");
            return;
        }
        Object configuration = Json.at(json(answer), "configuration");
        String problem = Json.string(configuration, "problem");
        if (problem.isEmpty()) {
            findings.ok("queues as in " + Json.string(configuration, "source"));
        } else {
            findings.problem(
                    "its queue file was changed and refused, and an older version is in force: " + problem,
                    "correct the file: heddle check " + Json.string(configuration, "source"));
        }
        if (Json.at(configuration, "warnings") instanceof List<?> warnings && !warnings.isEmpty()) {
            findings.note(warnings.size() + " settings of its file are without effect, or have another than one might"
                    + " think: heddle check lists them");
        }
        long errors = Json.number(json(answer), "counters", "errors-contained");
        if (errors > 0) {
            findings.problem(
                    errors + " errors inside the scheduler since its start; none stopped the ResourceManager",
                    "send the lines with 'org.heddle' and the stack traces in the ResourceManager's log to the"
                            + " project");
        } else {
            findings.ok("no error inside the scheduler since its start");
        }
    }

    private void nodes(URI url) throws IOException {
        WebAnswer answer = get(url, "/ws/v1/cluster/metrics");
        if (!answer.isOk() || !json(answer).containsKey("clusterMetrics")) {
            findings.notChecked("NodeManagers: /ws/v1/cluster/metrics answers " + answer.status());
            return;
        }
        Object metrics = Json.at(json(answer), "clusterMetrics");
        long lost = Json.number(metrics, "lostNodes");
        long unhealthy = Json.number(metrics, "unhealthyNodes");
        long running = Json.number(metrics, "activeNodes");
        if (running == 0) {
            findings.problem("no NodeManager is active", "start them; their logs say why one does not register");
        } else {
            findings.ok(running + (running == 1 ? " NodeManager is active" : " NodeManagers are active"));
        }
        if (lost > 0) {
            findings.problem(lost + " lost", "see " + url + "/cluster/nodes/lost, and those machines");
        }
        if (unhealthy > 0) {
            findings.problem(
                    unhealthy + " unhealthy",
                    "see " + url + "/cluster/nodes/unhealthy for what each reports (often a full disk)");
        }
    }

    private void pair() {
        if (active == 1) {
            findings.ok("one of " + reached + " ResourceManagers is active");
        } else {
            String way = "they do not see each other: give both the same yarn.resourcemanager.cluster-id and ZooKeeper";
            if (active == 0) {
                way = "see their logs for ZooKeeper, or yarn rmadmin -transitionToActive";
            }
            findings.problem(active + " of " + reached + " ResourceManagers are active", way);
        }
        if (schedulers.size() > 1) {
            findings.problem(
                    "they run different schedulers: " + String.join(", ", schedulers),
                    "give both the same yarn-site.xml and restart the one that is not active first");
        }
        if (releases.size() > 1) {
            findings.problem(
                    "they run different versions of Heddle: " + String.join(", ", releases),
                    "install the same release on both");
        }
    }

    private void history() {
        String address = site.get("mapreduce.jobhistory.webapp.address", "localhost:19888");
        try {
            URI url = WebAddress.of("http://" + address.replaceFirst("^0\\.0\\.0\\.0", "localhost"));
            WebAnswer answer = get(url, "/ws/v1/history/info");
            if (answer.isOk()) {
                findings.ok("Hadoop " + Json.string(json(answer), "historyInfo", "hadoopVersion") + " at " + url);
            } else {
                findings.notChecked(url + ": it answers " + answer.status());
            }
        } catch (IOException | IllegalArgumentException e) {
            findings.notChecked(e.getMessage() + "; without it finished MapReduce jobs cannot be seen");
        }
    }
}
