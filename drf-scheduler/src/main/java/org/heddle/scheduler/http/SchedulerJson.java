// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.scheduler.snapshot.AllocationDelayReport;
import org.heddle.scheduler.snapshot.ConfigurationChange;
import org.heddle.scheduler.snapshot.History;
import org.heddle.scheduler.snapshot.LabelUsage;
import org.heddle.scheduler.snapshot.LimitExceeded;
import org.heddle.scheduler.snapshot.NodeReport;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.Configuration;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.PreemptionReport;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.SchedulableReport;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.Victim;
import org.heddle.scheduler.snapshot.Waiting;
import org.jspecify.annotations.Nullable;

/**
 * Snapshots as JSON, version {@value #VERSION}: the records of {@link SchedulerSnapshot}, and those below where an
 * answer is no record of the snapshot. Within a version fields may be added, never renamed or removed; tests hold their
 * names. Infinity and NaN are {@code null}.
 *
 * <p>Only the tree of queues is written field by field: it may have 30,000 lines, and its shares have fewer digits than
 * a mapper writes.
 */
final class SchedulerJson {
    static final int VERSION = 1;
    private static final ObjectMapper MAPPER = RecordMapper.create()
            .addMixIn(Victim.class, VictimNames.class)
            .addMixIn(SchedulerSnapshot.class, OtherForms.class);

    private static final int DECIMAL = 10;
    private static final double BILLION = 1e9;
    private static final int DIGITS_BEHIND = 9;
    private static final int DIGITS = 16;
    private static final double MOST_ROUNDED = 1e6;

    private record Answer(int version, @JsonUnwrapped Object fields) {}

    private record State(
            @JsonUnwrapped SchedulerSnapshot snapshot,
            @Nullable AllocationDelay allocationDelay,
            List<Preemption> preemptions,
            Tree root) {}

    /** What {@link State} has in another form. */
    @JsonIgnoreProperties({"allocationDelays", "preemptions", "root"})
    abstract static class OtherForms {}

    /** Quantiles of the last minutes. */
    private record AllocationDelay(long medianMillis, long p95Millis, long p99Millis) {}

    private record Preemptions(long takenAtMillis, Map<String, Long> counters, List<Preemption> preemptions) {}

    /** @param containers of the victims that still run and will be killed */
    private record Preemption(@JsonUnwrapped PreemptionReport report, List<String> containers) {}

    abstract static class VictimNames {
        @JsonProperty("applicationMaster")
        boolean master;
    }

    @JsonSerialize(using = TreeWriter.class)
    private record Tree(SchedulableReport top, ListedApplications listed) {}

    private record Queue(long takenAtMillis, Tree queue) {}

    private record Application(long takenAtMillis, String queue, String user, Tree application) {}

    private record Past(List<Event> events, List<Sample> samples) {}

    private record Event(long atMillis, String text) {}

    private record Sample(long atMillis, TreeMap<String, Double> shares) {}

    private record Shadow(List<Exceeded> limitsExceeded) {}

    /** @param untilMillis null if it still exceeds the limit */
    private record Exceeded(
            String limit,
            String subject,
            String text,
            long sinceMillis,
            @Nullable Long untilMillis) {}

    private record Why(
            long takenAtMillis,
            String application,
            String queue,
            String user,
            int runningContainers,
            int pendingContainers,
            String summary,
            List<Reason> reasons) {}

    private record Reason(@JsonUnwrapped Waiting.Reason reason, String wayOut) {}

    private record Queues(long takenAtMillis, List<QueueRow> queues) {}

    private record Overview(
            long takenAtMillis, @JsonUnwrapped WaitingOverview waiting) {}

    private record Changes(@JsonUnwrapped Configuration configuration, List<ConfigurationChange> changes) {}

    private record Nodes(List<NodeReport> nodes) {}

    private record Failure(Problem error) {}

    private record Problem(int status, String message) {}

    private SchedulerJson() {}

    /** One answer, UTF-8: {@code version} first, then the fields of a record. */
    static void write(OutputStream out, Object fields) throws IOException {
        MAPPER.writeValue(out, new Answer(VERSION, fields));
    }

    static Object scheduler(SchedulerSnapshot snapshot, ListedApplications listed) {
        AllocationDelayReport.Recent recent = snapshot.allocationDelays().recent();
        AllocationDelay delay = null;
        if (recent != null) {
            delay = new AllocationDelay(
                    Math.round(recent.median()), Math.round(recent.p95()), Math.round(recent.p99()));
        }
        return new State(snapshot, delay, preemptionsOf(snapshot), new Tree(snapshot.root(), listed));
    }

    /** What {@link #scheduler} says of preemption, without the queues, of which there may be thousands. */
    static Object preemptions(SchedulerSnapshot snapshot) {
        return new Preemptions(snapshot.takenAtMillis(), snapshot.counters(), preemptionsOf(snapshot));
    }

    private static List<Preemption> preemptionsOf(SchedulerSnapshot snapshot) {
        return snapshot.preemptions().stream()
                .map(report -> new Preemption(
                        report,
                        report.stillToGo().stream().map(Victim::container).toList()))
                .toList();
    }

    static Object queue(SchedulerSnapshot snapshot, SchedulableReport queue) {
        return new Queue(snapshot.takenAtMillis(), new Tree(queue, ListedApplications.ALL));
    }

    static Object application(SchedulerSnapshot snapshot, SnapshotSearch.Found found) {
        Tree application = new Tree(found.schedulable(), ListedApplications.ALL);
        return new Application(snapshot.takenAtMillis(), found.queue(), found.user(), application);
    }

    static Object history(History history, List<ConfigurationChange> changes) {
        List<Event> events = new ArrayList<>();
        for (ConfigurationChange change : changes) {
            int differences = change.differences().size();
            String text = "another configuration, " + differences + (differences == 1 ? " difference" : " differences");
            if (events.isEmpty() && differences == 0) {
                text = "this ResourceManager started, or became the active one";
            }
            events.add(new Event(change.atMillis(), text));
        }
        List<Sample> samples = history.samples().stream()
                .map(sample -> new Sample(sample.atMillis(), new TreeMap<>(sample.shares())))
                .toList();
        return new Past(events, samples);
    }

    static Object shadow(List<LimitExceeded> limits) {
        return new Shadow(limits.stream()
                .map(each -> new Exceeded(
                        each.limit(),
                        each.subject(),
                        each.text(),
                        each.sinceMillis(),
                        each.untilMillis() == 0 ? null : each.untilMillis()))
                .toList());
    }

    static Object waiting(Waiting waiting) {
        return new Why(
                waiting.takenAtMillis(),
                waiting.application(),
                waiting.queue(),
                waiting.user(),
                waiting.runningContainers(),
                waiting.pendingContainers(),
                waiting.summary(),
                waiting.reasons().stream()
                        .map(reason -> new Reason(reason, reason.kind().wayOut()))
                        .toList());
    }

    static Object queues(SchedulerSnapshot snapshot, List<QueueRow> queues) {
        return new Queues(snapshot.takenAtMillis(), queues);
    }

    static Object overview(SchedulerSnapshot snapshot, WaitingOverview waiting) {
        return new Overview(snapshot.takenAtMillis(), waiting);
    }

    static Object configuration(Configuration configuration, List<ConfigurationChange> changes) {
        return new Changes(configuration, changes);
    }

    static Object nodes(List<NodeReport> nodes) {
        return new Nodes(nodes);
    }

    static Object error(int status, String message) {
        return new Failure(new Problem(status, message));
    }

    /** Writes a queue, user or application with all that is listed below it. */
    private static final class TreeWriter extends JsonSerializer<Tree> {
        @Override
        public void serialize(Tree tree, JsonGenerator json, SerializerProvider mapper) throws IOException {
            schedulable(json, tree.top(), tree.listed());
        }
    }

    private static void schedulable(JsonGenerator json, SchedulableReport schedulable, ListedApplications listed)
            throws IOException {
        json.writeStartObject();
        json.writeStringField("kind", schedulable.kind().name().toLowerCase(Locale.ROOT));
        json.writeStringField("name", schedulable.name());
        json.writeStringField("path", schedulable.path());
        json.writeStringField("user", schedulable.user());
        if (schedulable.kind() == SchedulerSnapshot.Kind.APPLICATION) {
            json.writeStringField("title", schedulable.title());
            json.writeArrayFieldStart("tags");
            for (String tag : schedulable.tags()) {
                json.writeString(tag);
            }
            json.writeEndArray();
        }
        json.writeStringField("order", schedulable.order());
        number(json, "weight", schedulable.weight());
        if (schedulable.kind() == SchedulerSnapshot.Kind.QUEUE) {
            number(json, "configuredWeight", schedulable.configuredWeight());
        }
        json.writeStringField("dominantResource", schedulable.dominantResource());
        share(json, "dominantShare", schedulable.dominantShare());
        share(json, "fairShare", schedulable.fairShare());
        share(json, "demandShare", schedulable.demandShare());
        number(json, "normalizedShare", schedulable.normalizedShare());
        json.writeBooleanField("blocked", schedulable.blocked());
        json.writeStringField("obstacle", schedulable.obstacle());
        amounts(json, "usage", schedulable.usage());
        amounts(json, "demand", schedulable.demand());
        json.writeNumberField("runningContainers", schedulable.runningContainers());
        json.writeNumberField("pendingContainers", schedulable.pendingContainers());
        amounts(json, "limit", schedulable.limit());
        if (schedulable.kind() == SchedulerSnapshot.Kind.QUEUE) {
            amounts(json, "guarantee", schedulable.guarantee());
            number(json, "steadyShare", schedulable.steadyShare());
        }
        if (!schedulable.labels().isEmpty()) {
            json.writeObjectFieldStart("nodeLabels");
            for (Map.Entry<String, LabelUsage> label : new TreeMap<>(schedulable.labels()).entrySet()) {
                json.writeObjectFieldStart(label.getKey());
                amounts(json, "total", label.getValue().total());
                amounts(json, "used", label.getValue().used());
                amounts(json, "guaranteed", label.getValue().guaranteed());
                amounts(json, "limit", label.getValue().limit());
                json.writeEndObject();
            }
            json.writeEndObject();
        }
        if (schedulable.kind() != SchedulerSnapshot.Kind.APPLICATION) {
            json.writeNumberField("applications", schedulable.applications(false));
        }
        json.writeArrayFieldStart("children");
        for (SchedulableReport child : listed.below(schedulable)) {
            schedulable(json, child, listed);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void number(JsonGenerator json, String name, double value) throws IOException {
        if (Double.isFinite(value)) {
            json.writeNumberField(name, value);
        } else {
            json.writeNullField(name);
        }
    }

    /**
     * A part of the cluster, exact to nine digits behind the point: all digits of a double take longer than the rest of
     * a line.
     */
    static void share(JsonGenerator json, String name, double share) throws IOException {
        if (share >= 0 && share <= MOST_ROUNDED) {
            json.writeFieldName(name);
            rounded(json, Math.round(share * BILLION));
        } else {
            number(json, name, share);
        }
    }

    /**
     * At least one digit before the point and one behind it; no object but the digits, because there may be 30,000 of
     * these.
     */
    private static void rounded(JsonGenerator json, long billionths) throws IOException {
        char[] digits = new char[DIGITS + 1];
        int point = DIGITS - DIGITS_BEHIND;
        long rest = billionths;
        int first = digits.length;
        while (rest > 0 || first >= point) {
            first--;
            if (first == point) {
                digits[first] = '.';
            } else {
                digits[first] = (char) ('0' + rest % DECIMAL);
                rest /= DECIMAL;
            }
        }
        int end = digits.length;
        while (end > point + 2 && digits[end - 1] == '0') {
            end--;
        }
        json.writeNumber(digits, first, end - first);
    }

    private static void amounts(JsonGenerator json, String name, Map<String, Long> amounts) throws IOException {
        json.writeObjectFieldStart(name);
        for (Map.Entry<String, Long> amount : amounts.entrySet()) {
            json.writeNumberField(amount.getKey(), amount.getValue());
        }
        json.writeEndObject();
    }
}
