// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.heddle.scheduler.model.ClusterRules;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.policy.FairOrder;
import org.heddle.scheduler.snapshot.QueueDetails;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.SchedulableReport;

/**
 * The answer of {@code /ws/v1/cluster/scheduler}: all fields and types of FairScheduler's answer ({@code
 * FairSchedulerInfo}), and also {@code weight}, {@code dominantShare} and {@code fairShare}. The types are
 * FairScheduler's whatever the configuration: YARN's UI2 chooses its queue page by them, and has one for YARN's own
 * schedulers only. Queues only; users and applications are under {@code /heddle/v1/}.
 */
final class ClusterSchedulerResponse {
    private static final JsonFactory FACTORY = new JsonFactory();

    private final SchedulerSnapshot snapshot;
    private final Map<String, QueueDetails> details;
    private final boolean likeFairScheduler;
    private final AnswerSink sink;

    private ClusterSchedulerResponse(SnapshotSource source, AnswerSink sink) {
        this.snapshot = source.snapshot();
        this.details = source.queueDetails();
        this.likeFairScheduler = source.compatibility() == ClusterRules.Compatibility.FAIR_SCHEDULER;
        this.sink = sink;
    }

    static void json(SnapshotSource source, OutputStream out) {
        try (JsonGenerator json = FACTORY.createGenerator(out)) {
            json.writeStartObject();
            write(source, new AnswerSink.JsonSink(json));
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (XMLStreamException e) {
            throw new IllegalStateException("no XML is written here", e);
        }
    }

    static void xml(SnapshotSource source, OutputStream out) {
        try {
            XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(out, "UTF-8");
            xml.writeStartDocument("UTF-8", "1.0");
            write(source, new AnswerSink.XmlSink(xml));
            xml.writeEndDocument();
            xml.close();
        } catch (IOException | XMLStreamException e) {
            throw new IllegalStateException("an answer in memory can always be written", e);
        }
    }

    private static void write(SnapshotSource source, AnswerSink sink) throws IOException, XMLStreamException {
        if (source.compatibility() == ClusterRules.Compatibility.CAPACITY_SCHEDULER) {
            new CapacitySchedulerResponse(source, sink).write();
        } else {
            new ClusterSchedulerResponse(source, sink).write();
        }
    }

    private void write() throws IOException, XMLStreamException {
        sink.open("scheduler");
        sink.open("schedulerInfo");
        sink.value("type", "fairScheduler");
        sink.value("jainIndex", snapshot.jainIndex());
        sink.open("rootQueue");
        queue(snapshot.root());
        sink.close();
        sink.close();
        sink.close();
    }

    private void queue(SchedulableReport queue) throws IOException, XMLStreamException {
        List<SchedulableReport> below = queue.queues();
        QueueDetails more = details.getOrDefault(queue.path(), QueueDetails.NONE);
        if (below.isEmpty()) {
            sink.value("type", "fairSchedulerLeafQueueInfo");
        }
        sink.value("maxApps", more.spec().maxRunningApps());
        boolean hasMinimum = more.minimum().values().stream().anyMatch(amount -> amount > 0);
        sink.resources("minResources", more.minimum(), !hasMinimum);
        sink.resources("maxResources", queue.maximum(snapshot.capacity()));
        sink.resources("usedResources", queue.usage());
        sink.resources("amUsedResources", more.amUsage());
        sink.resources("amMaxResources", more.amLimit());
        sink.resources("demandResources", more.demand());
        sink.resources("steadyFairResources", more.steadyFairShare());
        sink.resources("fairResources", more.fairShare());
        sink.resources("clusterResources", snapshot.capacity());
        sink.resources("reservedResources", more.reserved());
        sink.resources("maxContainerAllocation", more.largestContainer());
        sink.value("pendingContainers", more.pendingContainers());
        sink.value("allocatedContainers", more.allocatedContainers());
        sink.value("reservedContainers", more.reservedContainers());
        sink.value("queueName", queue.path());
        sink.value("schedulingPolicy", FairOrder.shown(queue.order(), likeFairScheduler));
        sink.value("preemptable", more.spec().get(QueueSettings.ALLOW_PREEMPTION_FROM));
        sink.value("weight", queue.weight());
        sink.value("dominantResource", queue.dominantResource());
        sink.value("dominantShare", queue.dominantShare());
        sink.value("fairShare", queue.fairShare());
        sink.value("runningContainers", queue.runningContainers());
        if (below.isEmpty()) {
            long active = queue.applications(true);
            sink.value("numPendingApps", queue.applications(false) - active);
            sink.value("numActiveApps", active);
        } else {
            sink.open("childQueues");
            sink.openList("queue");
            for (SchedulableReport child : below) {
                sink.openItem("queue");
                queue(child);
                sink.close();
            }
            sink.closeList();
            sink.close();
        }
    }
}
