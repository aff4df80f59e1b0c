// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import java.io.InputStream;
import java.io.Reader;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The only place that makes XML parsers. None of them opens what a file names: no document type, no entity, no
 * XInclude. They are the JDK's own: Hadoop's class path carries others, with other settings, which the usual search
 * would find.
 */
public final class RestrictedXml {
    private RestrictedXml() {}

    /**
     * Reads a stream piece by piece. A document type arrives as an event of which nothing is used; entities that it
     * declares are errors where they are used.
     *
     * @throws XMLStreamException if it does not begin like XML
     */
    public static XMLStreamReader reader(InputStream in) throws XMLStreamException {
        return streams().createXMLStreamReader(in);
    }

    /**
     * The same for text.
     *
     * @throws XMLStreamException if it does not begin like XML
     */
    public static XMLStreamReader reader(Reader text) throws XMLStreamException {
        return streams().createXMLStreamReader(text);
    }

    private static XMLInputFactory streams() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        factory.setXMLReporter((message, type, information, location) -> {});
        return factory;
    }

    /** Reads whole documents; one with a document type is refused with a SAXException. */
    public static DocumentBuilder documents() {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "");
            factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
            factory.setXIncludeAware(false);
            factory.setExpandEntityReferences(false);
            return factory.newDocumentBuilder();
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException("the JDK's own parser does not know its own restrictions", e);
        }
    }
}
