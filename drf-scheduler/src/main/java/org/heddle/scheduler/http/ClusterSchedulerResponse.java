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
import org.heddle.scheduler.model.SchedulerSnapshot;
import org.heddle.scheduler.model.SchedulerSnapshot.Kind;
import org.heddle.scheduler.model.SchedulerSnapshot.SchedulableReport;

/**
 * The answer of {@code /ws/v1/cluster/scheduler}: fields as in FairScheduler's answer ({@code FairSchedulerInfo}), with
 * {@code heddleScheduler} as the type, and also {@code dominantShare} and {@code fairShare}. Queues only; users and
 * applications are under {@code /heddle/v1/}.
 */
final class ClusterSchedulerResponse {
    private static final String TYPE = "heddleScheduler";
    private static final JsonFactory FACTORY = new JsonFactory();

    private ClusterSchedulerResponse() {}

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
    }

    static void json(SchedulerSnapshot snapshot, OutputStream out) {
        try (JsonGenerator json = FACTORY.createGenerator(out)) {
            json.writeStartObject();
            write(snapshot, new JsonSink(json));
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (XMLStreamException e) {
            throw new IllegalStateException("no XML is written here", e);
        }
    }

    static void xml(SchedulerSnapshot snapshot, OutputStream out) {
        try {
            XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(out, "UTF-8");
            xml.writeStartDocument("UTF-8", "1.0");
            write(snapshot, new XmlSink(xml));
            xml.writeEndDocument();
            xml.close();
        } catch (IOException | XMLStreamException e) {
            throw new IllegalStateException("an answer in memory can always be written", e);
        }
    }

    private static void write(SchedulerSnapshot snapshot, Sink sink) throws IOException, XMLStreamException {
        sink.open("scheduler");
        sink.open("schedulerInfo");
        sink.value("type", TYPE);
        sink.value("jainIndex", snapshot.jainIndex());
        sink.open("rootQueue");
        queue(snapshot.root(), snapshot, sink);
        sink.close();
        sink.close();
        sink.close();
    }

    private static void queue(SchedulableReport queue, SchedulerSnapshot snapshot, Sink sink)
            throws IOException, XMLStreamException {
        List<SchedulableReport> below = queue.children().stream()
                .filter(child -> child.kind() == Kind.QUEUE)
                .toList();
        sink.value("queueName", queue.path());
        sink.value("schedulingPolicy", queue.order());
        sink.value("weight", queue.weight());
        sink.value("dominantResource", queue.dominantResource());
        sink.value("dominantShare", queue.dominantShare());
        sink.value("fairShare", queue.fairShare());
        resources("clusterResources", snapshot.capacity(), sink);
        resources("usedResources", queue.usage(), sink);
        resources("demandResources", queue.demand(), sink);
        Map<String, Long> max = new TreeMap<>(snapshot.capacity());
        queue.limit().forEach((resource, most) -> max.merge(resource, most, Math::min));
        resources("maxResources", max, sink);
        sink.value("runningContainers", queue.runningContainers());
        sink.value("pendingContainers", queue.pendingContainers());
        if (below.isEmpty()) {
            long active = applications(queue, true);
            sink.value("numActiveApps", active);
            sink.value("numPendingApps", applications(queue, false) - active);
        } else {
            sink.open("childQueues");
            sink.openList("queue");
            for (SchedulableReport child : below) {
                sink.openItem("queue");
                queue(child, snapshot, sink);
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

    private static void resources(String name, Map<String, Long> amounts, Sink sink)
            throws IOException, XMLStreamException {
        sink.open(name);
        sink.value("memory", amounts.getOrDefault("memory-mb", 0L));
        sink.value("vCores", amounts.getOrDefault("vcores", 0L));
        sink.open("resourceInformations");
        sink.openList("resourceInformation");
        for (Map.Entry<String, Long> amount : new TreeMap<>(amounts).entrySet()) {
            sink.openItem("resourceInformation");
            sink.value("name", amount.getKey());
            sink.value("value", amount.getValue());
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
    }
}
