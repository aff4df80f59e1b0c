// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.heddle.scheduler.model.QueueDetails;
import org.heddle.scheduler.model.SchedulerSnapshot;
import org.heddle.scheduler.model.SchedulerSnapshot.Kind;
import org.heddle.scheduler.model.SchedulerSnapshot.SchedulableReport;
import org.heddle.scheduler.policy.FairOrder;

/**
 * The answer of {@code /ws/v1/cluster/scheduler}: all fields of FairScheduler's answer ({@code FairSchedulerInfo}), with
 * its types in FairScheduler's compatibility mode and {@code heddleScheduler} as the type otherwise, and also
 * {@code weight}, {@code dominantShare} and {@code fairShare}. Queues only; users and applications are under
 * {@code /heddle/v1/}.
 */
final class ClusterSchedulerResponse {
    private static final JsonFactory FACTORY = new JsonFactory();

    private final SchedulerSnapshot snapshot;
    private final Map<String, QueueDetails> details;
    private final boolean likeFairScheduler;
    private final Sink sink;

    private ClusterSchedulerResponse(SnapshotSource source, Sink sink) {
        this.snapshot = source.snapshot();
        this.details = source.queueDetails();
        this.likeFairScheduler = source.isLikeFairScheduler();
        this.sink = sink;
    }

    /** Where the answer is written, whatever the format. */
    private interface Sink {
        void open(String name) throws IOException, XMLStreamException;

        void close() throws IOException, XMLStreamException;

        void openList(String name) throws IOException, XMLStreamException;

        void closeList() throws IOException, XMLStreamException;

        void openItem(String name) throws IOException, XMLStreamException;

        void value(String name, String text) throws IOException, XMLStreamException;

        void value(String name, double number) throws IOException, XMLStreamException;

        void value(String name, long number) throws IOException, XMLStreamException;

        void value(String name, boolean truth) throws IOException, XMLStreamException;
    }

    static void json(SnapshotSource source, OutputStream out) {
        try (JsonGenerator json = FACTORY.createGenerator(out)) {
            json.writeStartObject();
            new ClusterSchedulerResponse(source, new JsonSink(json)).write();
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
            new ClusterSchedulerResponse(source, new XmlSink(xml)).write();
            xml.writeEndDocument();
            xml.close();
        } catch (IOException | XMLStreamException e) {
            throw new IllegalStateException("an answer in memory can always be written", e);
        }
    }

    private void write() throws IOException, XMLStreamException {
        sink.open("scheduler");
        sink.open("schedulerInfo");
        sink.value("type", likeFairScheduler ? "fairScheduler" : "heddleScheduler");
        sink.value("jainIndex", snapshot.jainIndex());
        sink.open("rootQueue");
        queue(snapshot.root());
        sink.close();
        sink.close();
        sink.close();
    }

    private void queue(SchedulableReport queue) throws IOException, XMLStreamException {
        List<SchedulableReport> below = queue.children().stream()
                .filter(child -> child.kind() == Kind.QUEUE)
                .toList();
        QueueDetails more = details.getOrDefault(queue.path(), QueueDetails.NONE);
        if (likeFairScheduler && below.isEmpty()) {
            sink.value("type", "fairSchedulerLeafQueueInfo");
        }
        sink.value("maxApps", more.maxRunningApplications());
        resources("minResources", more.minimum());
        Map<String, Long> max = new TreeMap<>(snapshot.capacity());
        queue.limit().forEach((resource, most) -> max.merge(resource, most, Math::min));
        resources("maxResources", max);
        resources("usedResources", queue.usage());
        resources("amUsedResources", more.amUsage());
        resources("amMaxResources", more.amLimit());
        Map<String, Long> demand = new TreeMap<>(queue.usage());
        more.pending().forEach((resource, amount) -> demand.merge(resource, amount, Long::sum));
        resources("demandResources", demand);
        resources("steadyFairResources", more.steadyFairShare());
        resources("fairResources", more.fairShare());
        resources("clusterResources", snapshot.capacity());
        resources("reservedResources", more.reserved());
        resources("maxContainerAllocation", more.largestContainer());
        sink.value("pendingContainers", more.pendingContainers());
        sink.value("allocatedContainers", more.allocatedContainers());
        sink.value("reservedContainers", more.reservedContainers());
        sink.value("queueName", queue.path());
        sink.value("schedulingPolicy", FairOrder.shown(queue.order(), likeFairScheduler));
        sink.value("preemptable", more.preemptable());
        sink.value("weight", queue.weight());
        sink.value("dominantResource", queue.dominantResource());
        sink.value("dominantShare", queue.dominantShare());
        sink.value("fairShare", queue.fairShare());
        sink.value("runningContainers", queue.runningContainers());
        if (below.isEmpty()) {
            long active = applications(queue, true);
            sink.value("numPendingApps", applications(queue, false) - active);
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

    private static long applications(SchedulableReport schedulable, boolean running) {
        if (schedulable.kind() == Kind.APPLICATION) {
            return !running || schedulable.runningContainers() > 0 ? 1 : 0;
        }
        long sum = 0;
        for (SchedulableReport child : schedulable.children()) {
            sum += applications(child, running);
        }
        return sum;
    }

    private void resources(String name, Map<String, Long> amounts) throws IOException, XMLStreamException {
        sink.open(name);
        sink.value("memory", amounts.getOrDefault(ResourceInformation.MEMORY_URI, 0L));
        sink.value("vCores", amounts.getOrDefault(ResourceInformation.VCORES_URI, 0L));
        sink.open("resourceInformations");
        sink.openList("resourceInformation");
        for (ResourceInformation type : ResourceUtils.getResourceTypesArray()) {
            sink.openItem("resourceInformation");
            sink.value("maximumAllocation", type.getMaximumAllocation());
            sink.value("minimumAllocation", type.getMinimumAllocation());
            sink.value("name", type.getName());
            sink.value("resourceType", type.getResourceType().name());
            sink.value("units", type.getUnits());
            sink.value("value", amounts.getOrDefault(type.getName(), 0L));
            sink.close();
        }
        sink.closeList();
        sink.close();
        sink.close();
    }

    private record JsonSink(JsonGenerator json) implements Sink {
        @Override
        public void open(String name) throws IOException {
            json.writeObjectFieldStart(name);
        }

        @Override
        public void close() throws IOException {
            json.writeEndObject();
        }

        @Override
        public void openList(String name) throws IOException {
            json.writeArrayFieldStart(name);
        }

        @Override
        public void closeList() throws IOException {
            json.writeEndArray();
        }

        @Override
        public void openItem(String name) throws IOException {
            json.writeStartObject();
        }

        @Override
        public void value(String name, String text) throws IOException {
            json.writeStringField(name, text);
        }

        @Override
        public void value(String name, double number) throws IOException {
            json.writeNumberField(name, Double.isFinite(number) ? number : -1);
        }

        @Override
        public void value(String name, long number) throws IOException {
            json.writeNumberField(name, number);
        }

        @Override
        public void value(String name, boolean truth) throws IOException {
            json.writeBooleanField(name, truth);
        }
    }

    private record XmlSink(XMLStreamWriter xml) implements Sink {
        @Override
        public void open(String name) throws XMLStreamException {
            xml.writeStartElement(name);
        }

        @Override
        public void close() throws XMLStreamException {
            xml.writeEndElement();
        }

        @Override
        public void openList(String name) {
            // XML repeats the items, there is nothing around them
        }

        @Override
        public void closeList() {
            // see openList
        }

        @Override
        public void openItem(String name) throws XMLStreamException {
            xml.writeStartElement(name);
        }

        @Override
        public void value(String name, String text) throws XMLStreamException {
            xml.writeStartElement(name);
            xml.writeCharacters(text);
            xml.writeEndElement();
        }

        @Override
        public void value(String name, double number) throws XMLStreamException {
            value(name, String.valueOf(number));
        }

        @Override
        public void value(String name, long number) throws XMLStreamException {
            value(name, String.valueOf(number));
        }

        @Override
        public void value(String name, boolean truth) throws XMLStreamException {
            value(name, String.valueOf(truth));
        }
    }
}
