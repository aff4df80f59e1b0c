// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.heddle.settings.RestrictedXml;

/**
 * One of Hadoop's site files. Document types, entities and XIncludes are not followed, so that a file cannot make this
 * command open another file. {@code includes} lists the included files.
 *
 * @param path where it is
 * @param properties name to value and line; the last one if a name occurs twice
 * @param repeated names with two different values
 * @param includes files that it includes; they were not read
 */
record SiteFile(Path path, Map<String, Property> properties, List<String> repeated, List<String> includes) {
    private static final String XINCLUDE = "http://www.w3.org/2001/XInclude";

    /** A value and where it stands. */
    record Property(String value, int line) {}

    /** @throws IOException one sentence if this is not a readable site file */
    static SiteFile read(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            return new Reader(path, RestrictedXml.reader(in)).read();
        } catch (XMLStreamException e) {
            int line = e.getLocation() == null ? 0 : e.getLocation().getLineNumber();
            throw new IOException(
                    path + ": line " + line + ": is not well-formed XML, so Hadoop's daemons do not start with it: "
                            + String.valueOf(e.getMessage())
                                    .replaceAll("(?s).*Message: ", "")
                                    .replaceAll("\\s+", " "),
                    e);
        }
    }

    private static final class Reader {
        private final Path path;
        private final XMLStreamReader xml;
        private final Map<String, Property> properties = new LinkedHashMap<>();
        private final List<String> repeated = new ArrayList<>();
        private final List<String> includes = new ArrayList<>();
        private String name = "";
        private String value = "";
        private int line;

        Reader(Path path, XMLStreamReader xml) {
            this.path = path;
            this.xml = xml;
        }

        SiteFile read() throws XMLStreamException, IOException {
            StringBuilder text = new StringBuilder();
            boolean root = true;
            while (xml.hasNext()) {
                switch (xml.next()) {
                    case XMLStreamConstants.DTD ->
                        throw new IOException(
                                path + ": line " + xml.getLocation().getLineNumber()
                                        + ": declares a document type, which is not read here; remove <!DOCTYPE>");
                    case XMLStreamConstants.START_ELEMENT -> {
                        if (root && !xml.getLocalName().equals("configuration")) {
                            throw new IOException(path + ": line "
                                    + xml.getLocation().getLineNumber() + ": begins with <" + xml.getLocalName()
                                    + ">; one of Hadoop's site files begins with <configuration>");
                        }
                        root = false;
                        text.setLength(0);
                        start();
                    }
                    case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> text.append(xml.getText());
                    case XMLStreamConstants.END_ELEMENT -> end(text.toString());
                    default -> {}
                }
            }
            return new SiteFile(path, properties, repeated, includes);
        }

        private void start() {
            if (XINCLUDE.equals(xml.getNamespaceURI())) {
                includes.add(String.valueOf(xml.getAttributeValue(null, "href")));
            } else if (xml.getLocalName().equals("property")) {
                line = xml.getLocation().getLineNumber();
                String asAttribute = xml.getAttributeValue(null, "name");
                name = asAttribute == null ? "" : asAttribute;
                asAttribute = xml.getAttributeValue(null, "value");
                value = asAttribute == null ? "" : asAttribute;
            }
        }

        private void end(String text) {
            switch (xml.getLocalName()) {
                case "name" -> name = text.strip();
                case "value" -> value = text;
                case "property" -> {
                    if (!name.isEmpty()) {
                        Property before = properties.put(name, new Property(value, line));
                        if (before != null && !before.value().equals(value)) {
                            repeated.add(name);
                        }
                    }
                }
                default -> {}
            }
        }
    }
}
