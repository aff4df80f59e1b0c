// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.scheduler.model.History;
import org.heddle.scheduler.model.SchedulerSnapshot;
import org.heddle.scheduler.model.SchedulerSnapshot.Claim;
import org.heddle.scheduler.model.SchedulerSnapshot.Configuration;
import org.heddle.scheduler.model.SchedulerSnapshot.Revoking;
import org.heddle.scheduler.model.SchedulerSnapshot.Victim;
import org.heddle.scheduler.model.Waiting;

/**
 * Writes snapshots as JSON, version {@value #VERSION}. Names and meanings are those of {@link SchedulerSnapshot};
 * within a version fields may be added, never renamed or removed. What is infinite or not a number is {@code null}.
 *
 * <p>Written field by field and not through a mapper, so that renaming a record's component cannot change the wire.
 */
final class SchedulerJson {
    static final int VERSION = 1;
    private static final JsonFactory FACTORY = new JsonFactory();

    private SchedulerJson() {}

    /** Something that fills the object of one answer. */
    @FunctionalInterface
    interface Body {
        void writeTo(JsonGenerator json) throws IOException;
    }

    /** One answer, UTF-8: {@code version} first, then the body's fields. */
    static void write(OutputStream out, Body body) throws IOException {
        try (JsonGenerator json = FACTORY.createGenerator(out)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeNumberField("version", VERSION);
            body.writeTo(json);
            json.writeEndObject();
        }
    }

    static Body scheduler(SchedulerSnapshot snapshot) {
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
            amounts(json, "counters", snapshot.counters());
            json.writeArrayFieldStart("revocations");
            for (Revoking revoking : snapshot.revocations()) {
                revoking(json, revoking);
            }
            json.writeEndArray();
            json.writeFieldName("root");
            claim(json, snapshot.root());
        };
    }

    static Body queue(SchedulerSnapshot snapshot, Claim queue) {
        return json -> {
            json.writeNumberField("takenAtMillis", snapshot.takenAtMillis());
            json.writeFieldName("queue");
            claim(json, queue);
        };
    }

    static Body application(SchedulerSnapshot snapshot, SnapshotSearch.Found found) {
        return json -> {
            json.writeNumberField("takenAtMillis", snapshot.takenAtMillis());
            json.writeStringField("queue", found.queue());
            json.writeStringField("user", found.user());
            json.writeFieldName("application");
            claim(json, found.claim());
        };
    }

    static Body history(History history) {
        return json -> {
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
                json.writeEndObject();
            }
            json.writeEndArray();
        };
    }

    static Body configuration(Configuration configuration) {
        return json -> configuration(json, configuration);
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

    private static void revoking(JsonGenerator json, Revoking revoking) throws IOException {
        json.writeStartObject();
        json.writeStringField("beneficiary", revoking.beneficiary());
        json.writeStringField("reason", revoking.reason());
        json.writeStringField("application", revoking.application());
        json.writeStringField("queue", revoking.queue());
        json.writeStringField("user", revoking.user());
        json.writeStringField("node", revoking.node());
        amounts(json, "need", revoking.need());
        json.writeNumberField("count", revoking.count());
        json.writeArrayFieldStart("containers");
        for (Victim victim : revoking.stillToGo()) {
            json.writeString(victim.container());
        }
        json.writeEndArray();
        json.writeArrayFieldStart("victims");
        for (Victim victim : revoking.victims()) {
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
        json.writeStringField("terms", revoking.terms());
        json.writeNumberField("dueMillis", revoking.dueMillis());
        json.writeStringField("outcome", revoking.outcome());
        json.writeEndObject();
    }

    private static void claim(JsonGenerator json, Claim claim) throws IOException {
        json.writeStartObject();
        json.writeStringField("kind", claim.kind().name().toLowerCase(Locale.ROOT));
        json.writeStringField("name", claim.name());
        json.writeStringField("path", claim.path());
        json.writeStringField("user", claim.user());
        json.writeStringField("order", claim.order());
        number(json, "weight", claim.weight());
        json.writeStringField("dominantResource", claim.dominantResource());
        number(json, "dominantShare", claim.dominantShare());
        number(json, "fairShare", claim.fairShare());
        number(json, "demandShare", claim.demandShare());
        number(json, "standing", claim.standing());
        json.writeBooleanField("blocked", claim.blocked());
        json.writeStringField("obstacle", claim.obstacle());
        amounts(json, "usage", claim.usage());
        amounts(json, "demand", claim.demand());
        json.writeNumberField("runningContainers", claim.runningContainers());
        json.writeNumberField("pendingContainers", claim.pendingContainers());
        amounts(json, "limit", claim.limit());
        json.writeArrayFieldStart("children");
        for (Claim child : claim.children()) {
            claim(json, child);
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

    private static void amounts(JsonGenerator json, String name, Map<String, Long> amounts) throws IOException {
        json.writeObjectFieldStart(name);
        for (Map.Entry<String, Long> amount : new TreeMap<>(amounts).entrySet()) {
            json.writeNumberField(amount.getKey(), amount.getValue());
        }
        json.writeEndObject();
    }
}
