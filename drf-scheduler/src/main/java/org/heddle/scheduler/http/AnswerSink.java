// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Map;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.util.resource.Resources;

/** Where an answer of {@code /ws/v1/cluster/scheduler} is written, JSON or XML, in the form that Jersey gives it. */
interface AnswerSink {
    void open(String name) throws IOException, XMLStreamException;

    void close() throws IOException, XMLStreamException;

    void openList(String name) throws IOException, XMLStreamException;

    void closeList() throws IOException, XMLStreamException;

    void openItem(String name) throws IOException, XMLStreamException;

    /** One text of a list. */
    void item(String name, String text) throws IOException, XMLStreamException;

    void value(String name, String text) throws IOException, XMLStreamException;

    void value(String name, double number) throws IOException, XMLStreamException;

    void value(String name, long number) throws IOException, XMLStreamException;

    void value(String name, boolean truth) throws IOException, XMLStreamException;

    /** An amount of resources as {@code ResourceInfo} is written. */
    default void resources(String name, Map<String, Long> amounts) throws IOException, XMLStreamException {
        resources(name, amounts, false);
    }

    /**
     * The same.
     *
     * @param isConstant whether YARN writes its constant for nothing here, whose smallest and largest allocations are
     *     others
     */
    default void resources(String name, Map<String, Long> amounts, boolean isConstant)
            throws IOException, XMLStreamException {
        Resource nothing = isConstant ? Resources.none() : Resource.newInstance(0, 0);
        open(name);
        value("memory", amounts.getOrDefault(ResourceInformation.MEMORY_URI, 0L));
        value("vCores", amounts.getOrDefault(ResourceInformation.VCORES_URI, 0L));
        open("resourceInformations");
        openList("resourceInformation");
        for (ResourceInformation type : nothing.getResources()) {
            openItem("resourceInformation");
            value("maximumAllocation", type.getMaximumAllocation());
            value("minimumAllocation", type.getMinimumAllocation());
            value("name", type.getName());
            value("resourceType", type.getResourceType().name());
            value("units", type.getUnits());
            value("value", amounts.getOrDefault(type.getName(), 0L));
            close();
        }
        closeList();
        close();
        close();
    }

    record JsonSink(JsonGenerator json) implements AnswerSink {
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
        public void item(String name, String text) throws IOException {
            json.writeString(text);
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

    record XmlSink(XMLStreamWriter xml) implements AnswerSink {
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
        public void item(String name, String text) throws XMLStreamException {
            value(name, text);
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
