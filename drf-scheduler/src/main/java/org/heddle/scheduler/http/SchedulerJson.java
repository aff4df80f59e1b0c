// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.scheduler.model.ConfigurationChange;
import org.heddle.scheduler.model.LimitExceeded;
import org.heddle.scheduler.snapshot.AllocationDelayReport;
import org.heddle.scheduler.snapshot.History;
import org.heddle.scheduler.snapshot.LabelUsage;
import org.heddle.scheduler.snapshot.NodeReport;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.Configuration;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.PreemptionReport;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.SchedulableReport;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.Victim;
import org.heddle.scheduler.snapshot.Waiting;
import org.jspecify.annotations.Nullable;

/**
 * Writes snapshots as JSON, version {@value #VERSION}. Names and meanings are those of {@link SchedulerSnapshot};
 * within a version fields may be added, never renamed or removed. Infinity and NaN are {@code null}.
 *
 * <p>Written field by field and not through a mapper, so that renaming a record's component cannot change the wire.
 */
final class SchedulerJson {
    static final int VERSION = 1;
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final int DECIMAL = 10;
    private static final double BILLION = 1e9;
    private static final int DIGITS_BEHIND = 9;
    private static final int DIGITS = 16;
    private static final double MOST_ROUNDED = 1e6;

    private SchedulerJson() {}

    /** Something that fills the object of one answer. */
    @FunctionalInterface
    interface Body {
        void writeTo(JsonGenerator json) throws IOException;
    }

    /** One answer, UTF-8: {@code version} first, then the body's fields. */
    static void write(OutputStream out, Body body) throws IOException {
        try (JsonGenerator json = FACTORY.createGenerator(out)) {
            json.writeStartObject();
            json.writeNumberField("version", VERSION);
            body.writeTo(json);
            json.writeEndObject();
        }
    }

    static Body scheduler(SchedulerSnapshot snapshot, ListedApplications listed) {
        return json -> {
            json.writeNumberField("takenAtMillis", snapshot.takenAtMillis());
            json.writeNumberField("nodes", snapshot.nodes());
            json.writeNumberField("reservedNodes", snapshot.reservedNodes());
            amounts(json, "capacity", snapshot.capacity());
            amounts(json, "usage", snapshot.usage());
            number(json, "jainIndex", snapshot.jainIndex());
            json.writeObjectFieldStart("configuration");
            configuration(json, snapshot.configuration());
            json.writeEndObject();
            allocationDelay(json, snapshot.allocationDelays().recent());
            preemptions(json, snapshot);
            json.writeFieldName("root");
            schedulable(json, snapshot.root(), listed);
        };
    }

    /** What {@link #scheduler} says of preemption, without the queues, of which there may be thousands. */
    static Body preemptions(SchedulerSnapshot snapshot) {
        return json -> {
            json.writeNumberField("takenAtMillis", snapshot.takenAtMillis());
            preemptions(json, snapshot);
        };
    }

    private static void preemptions(JsonGenerator json, SchedulerSnapshot snapshot) throws IOException {
        amounts(json, "counters", snapshot.counters());
        json.writeArrayFieldStart("preemptions");
        for (PreemptionReport preemption : snapshot.preemptions()) {
            preemption(json, preemption);
        }
        json.writeEndArray();
    }

    /** Quantiles of the last minutes; null if no container was allocated in them. */
    private static void allocationDelay(JsonGenerator json, AllocationDelayReport.@Nullable Recent delay)
            throws IOException {
        if (delay == null) {
            json.writeNullField("allocationDelay");
            return;
        }
        json.writeObjectFieldStart("allocationDelay");
        json.writeNumberField("medianMillis", Math.round(delay.median()));
        json.writeNumberField("p95Millis", Math.round(delay.p95()));
        json.writeNumberField("p99Millis", Math.round(delay.p99()));
        json.writeEndObject();
    }

    static Body queue(SchedulerSnapshot snapshot, SchedulableReport queue) {
        return json -> {
            json.writeNumberField("takenAtMillis", snapshot.takenAtMillis());
            json.writeFieldName("queue");
            schedulable(json, queue, ListedApplications.ALL);
        };
    }

    static Body application(SchedulerSnapshot snapshot, SnapshotSearch.Found found) {
        return json -> {
            json.writeNumberField("takenAtMillis", snapshot.takenAtMillis());
            json.writeStringField("queue", found.queue());
            json.writeStringField("user", found.user());
            json.writeFieldName("application");
            schedulable(json, found.schedulable(), ListedApplications.ALL);
        };
    }

    static Body history(History history, List<ConfigurationChange> changes) {
        return json -> {
            json.writeArrayFieldStart("events");
            for (int i = 0; i < changes.size(); i++) {
                ConfigurationChange change = changes.get(i);
                int differences = change.differences().size();
                String words = differences == 1 ? " difference" : " differences";
                json.writeStartObject();
                json.writeNumberField("atMillis", change.atMillis());
                json.writeStringField(
                        "text",
                        i == 0 && differences == 0
                                ? "this ResourceManager started, or became the active one"
                                : "another configuration, " + differences + words);
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeArrayFieldStart("samples");
            for (History.Sample sample : history.samples()) {
                json.writeStartObject();
                json.writeNumberField("atMillis", sample.atMillis());
                json.writeObjectFieldStart("shares");
                for (Map.Entry<String, Double> share : new TreeMap<>(sample.shares()).entrySet()) {
                    number(json, share.getKey(), share.getValue());
                }
                json.writeEndObject();
                json.writeEndObject();
            }
            json.writeEndArray();
        };
    }

    static Body shadow(List<LimitExceeded> limits) {
        return json -> {
            json.writeArrayFieldStart("limitsExceeded");
            for (LimitExceeded each : limits) {
                json.writeStartObject();
                json.writeStringField("limit", each.limit());
                json.writeStringField("subject", each.subject());
                json.writeStringField("text", each.text());
                json.writeNumberField("sinceMillis", each.sinceMillis());
                if (each.untilMillis() == 0) {
                    json.writeNullField("untilMillis");
                } else {
                    json.writeNumberField("untilMillis", each.untilMillis());
                }
                json.writeEndObject();
            }
            json.writeEndArray();
        };
    }

    static Body waiting(Waiting waiting) {
        return json -> {
            json.writeNumberField("takenAtMillis", waiting.takenAtMillis());
            json.writeStringField("application", waiting.application());
            json.writeStringField("queue", waiting.queue());
            json.writeStringField("user", waiting.user());
            json.writeNumberField("runningContainers", waiting.runningContainers());
            json.writeNumberField("pendingContainers", waiting.pendingContainers());
            json.writeStringField("summary", waiting.summary());
            json.writeArrayFieldStart("reasons");
            for (Waiting.Reason reason : waiting.reasons()) {
                json.writeStartObject();
                json.writeStringField(
                        "kind", reason.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'));
                json.writeNumberField("containers", reason.containers());
                json.writeNumberField("nodes", reason.nodes());
                json.writeStringField("text", reason.text());
                json.writeStringField("wayOut", reason.kind().wayOut());
                json.writeEndObject();
            }
            json.writeEndArray();
        };
    }

    static Body configuration(Configuration configuration, List<ConfigurationChange> changes) {
        return json -> {
            configuration(json, configuration);
            json.writeArrayFieldStart("changes");
            for (ConfigurationChange change : changes) {
                json.writeStartObject();
                json.writeNumberField("atMillis", change.atMillis());
                json.writeArrayFieldStart("differences");
                for (String difference : change.differences()) {
                    json.writeString(difference);
                }
                json.writeEndArray();
                json.writeEndObject();
            }
            json.writeEndArray();
        };
    }

    static Body nodes(List<NodeReport> nodes) {
        return json -> {
            json.writeArrayFieldStart("nodes");
            for (NodeReport node : nodes) {
                json.writeStartObject();
                json.writeStringField("id", node.id());
                json.writeStringField("label", node.label());
                amounts(json, "total", node.total());
                amounts(json, "used", node.used());
                json.writeNumberField("containers", node.containers());
                json.writeStringField("reservedFor", node.reservedFor());
                json.writeStringField("promisedTo", node.promisedTo());
                json.writeEndObject();
            }
            json.writeEndArray();
        };
    }

    static Body error(int status, String message) {
        return json -> {
            json.writeObjectFieldStart("error");
            json.writeNumberField("status", status);
            json.writeStringField("message", message);
            json.writeEndObject();
        };
    }

    private static void configuration(JsonGenerator json, Configuration configuration) throws IOException {
        json.writeStringField("source", configuration.source());
        json.writeNumberField("loadedAtMillis", configuration.loadedAtMillis());
        json.writeArrayFieldStart("warnings");
        for (String warning : configuration.warnings()) {
            json.writeString(warning);
        }
        json.writeEndArray();
        json.writeStringField("problem", configuration.problem());
    }

    private static void preemption(JsonGenerator json, PreemptionReport preemption) throws IOException {
        json.writeStartObject();
        json.writeStringField("beneficiary", preemption.beneficiary());
        json.writeStringField("reason", preemption.reason());
        json.writeStringField("application", preemption.application());
        json.writeStringField("queue", preemption.queue());
        json.writeStringField("user", preemption.user());
        json.writeStringField("node", preemption.node());
        amounts(json, "need", preemption.need());
        json.writeNumberField("count", preemption.count());
        json.writeArrayFieldStart("containers");
        for (Victim victim : preemption.stillToGo()) {
            json.writeString(victim.container());
        }
        json.writeEndArray();
        json.writeArrayFieldStart("victims");
        for (Victim victim : preemption.victims()) {
            json.writeStartObject();
            json.writeStringField("container", victim.container());
            json.writeStringField("application", victim.application());
            json.writeStringField("queue", victim.queue());
            json.writeStringField("user", victim.user());
            json.writeBooleanField("applicationMaster", victim.master());
            json.writeStringField(
                    "fate", victim.fate().name().toLowerCase(Locale.ROOT).replace('_', '-'));
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeStringField("terms", preemption.terms());
        json.writeNumberField("dueMillis", preemption.dueMillis());
        json.writeStringField("outcome", preemption.outcome());
        json.writeEndObject();
    }

    private static void schedulable(JsonGenerator json, SchedulableReport schedulable, ListedApplications listed)
            throws IOException {
        json.writeStartObject();
        json.writeStringField("kind", schedulable.kind().name().toLowerCase(Locale.ROOT));
        json.writeStringField("name", schedulable.name());
        json.writeStringField("path", schedulable.path());
        json.writeStringField("user", schedulable.user());
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

    /** A part of the cluster, exact to nine digits behind the point: all digits of a double take longer than the rest of a line. */
    static void share(JsonGenerator json, String name, double share) throws IOException {
        if (share >= 0 && share <= MOST_ROUNDED) {
            json.writeFieldName(name);
            rounded(json, Math.round(share * BILLION));
        } else {
            number(json, name, share);
        }
    }

    /** At least one digit before the point and one behind it; no object but the digits, because there may be 30,000 of these. */
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
