// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.xml;

import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import javax.xml.XMLConstants;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.heddle.scheduler.config.ConfigurationException;

/**
 * Turns bytes into {@link XmlElement}s with the JDK's own stream parser. A document type declaration is refused before
 * anything in it is used, so there are no entities to expand or to fetch.
 */
public final class XmlTree {
    private static final int DEEPEST = 40;
    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final String PARSER_PREFIX = "Message: ";

    private final Problems problems;

    private XmlTree(String file) {
        this.problems = new Problems(file);
    }

    /**
     * The root element of a file.
     *
     * @throws ConfigurationException if the bytes are not well-formed XML, declare a document type, use name spaces or
     *     are nested too deep
     */
    public static XmlElement parse(String file, byte[] content) throws ConfigurationException {
        return new XmlTree(file).parse(content);
    }

    private XmlElement parse(byte[] content) throws ConfigurationException {
        // newDefaultFactory: Hadoop's class path carries another parser, which newInstance would pick up.
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        factory.setXMLReporter((message, type, information, location) -> {});
        int line = 0;
        try {
            XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(text(content)));
            String encoding = reader.getCharacterEncodingScheme();
            if (encoding != null && !encoding.equalsIgnoreCase("UTF-8")) {
                throw refused(1, "<?xml encoding", encoding, "must be UTF-8, the only encoding that is read");
            }
            Deque<XmlElement> open = new ArrayDeque<>();
            XmlElement root = new XmlElement("", 0);
            open.push(root);
            while (reader.hasNext()) {
                int event = reader.next();
                line = Math.max(1, reader.getLocation().getLineNumber());
                XmlElement current = open.element();
                switch (event) {
                    case XMLStreamConstants.START_ELEMENT -> {
                        XmlElement element = element(reader, line);
                        current.append(element);
                        open.push(element);
                        if (open.size() > DEEPEST) {
                            throw refused(line, element.tag(), "is nested deeper than " + DEEPEST + " elements");
                        }
                    }
                    case XMLStreamConstants.END_ELEMENT -> open.pop();
                    case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA ->
                        current.appendText(reader.getText());
                    case XMLStreamConstants.DTD ->
                        throw refused(
                                line,
                                "<!DOCTYPE>",
                                "document types and entities are not allowed; remove the declaration");
                    default -> {}
                }
            }
            return root.children().get(0);
        } catch (XMLStreamException e) {
            int at = e.getLocation() == null ? line : e.getLocation().getLineNumber();
            throw refused(Math.max(1, at), "", "is not well-formed XML: " + reason(e));
        }
    }

    /** Decoded here, because the parser prints what it finds wrong with an encoding to standard error. */
    private String text(byte[] content) throws ConfigurationException {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
            return text.startsWith(BYTE_ORDER_MARK) ? text.substring(BYTE_ORDER_MARK.length()) : text;
        } catch (CharacterCodingException e) {
            int line = 1;
            for (int i = 0; i < bytes.position(); i++) {
                line += content[i] == '\n' ? 1 : 0;
            }
            throw refused(line, "", "is not UTF-8; save the file in that encoding");
        }
    }

    private XmlElement element(XMLStreamReader reader, int line) throws ConfigurationException {
        if (reader.getNamespaceCount() > 0 || reader.getNamespaceURI() != null) {
            throw refused(
                    line,
                    "<" + reader.getLocalName() + ">",
                    "name spaces are not used here; remove xmlns and prefixes");
        }
        XmlElement element = new XmlElement(reader.getLocalName(), line);
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            element.attribute(reader.getAttributeLocalName(i), reader.getAttributeValue(i));
        }
        return element;
    }

    private ConfigurationException refused(int line, String element, String wayOut) {
        return refused(line, element, "", wayOut);
    }

    private ConfigurationException refused(int line, String element, String value, String wayOut) {
        problems.add(line, element, value, wayOut);
        return problems.exception();
    }

    private String reason(XMLStreamException e) {
        String message = String.valueOf(e.getMessage());
        int start = message.indexOf(PARSER_PREFIX);
        return start < 0 ? message : message.substring(start + PARSER_PREFIX.length());
    }
}
