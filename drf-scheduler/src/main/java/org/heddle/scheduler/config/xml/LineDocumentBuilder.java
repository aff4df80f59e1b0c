// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.xml;

import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.heddle.settings.RestrictedXml;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.DOMImplementation;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.EntityResolver;
import org.xml.sax.ErrorHandler;
import org.xml.sax.InputSource;

/**
 * Builds a document in which each element has the line of its start tag as the attribute {@value #LINE}. All attributes
 * of the file lose their prefix: an attribute of that name gets the name {@code line} and is reported as unknown. The
 * prefix {@code xml} needs no declaration, so the library can copy the document.
 *
 * <p>The parser is the JDK's own stream parser. It refuses a document type before it uses anything in it, so there are
 * no entities to expand and nothing to fetch. The document has elements, attributes and text; comments are left out.
 */
final class LineDocumentBuilder extends DocumentBuilder {
    static final String LINE = "xml:line";

    /** XMLConfiguration trims text without it, and blanks count in the access lists of FairScheduler. */
    private static final String SPACE = "xml:space";

    private static final int DEEPEST = 40;
    private static final String PARSER_PREFIX = "Message: ";

    private final DocumentBuilder documents = RestrictedXml.documents();

    @Override
    public Document parse(InputSource source) throws RefusedXmlException {
        Document document = documents.newDocument();
        int line = 0;
        try {
            XMLStreamReader reader = RestrictedXml.reader(source.getCharacterStream());
            refuseOtherEncodings(reader);
            Node open = document;
            int depth = 0;
            while (reader.hasNext()) {
                int event = reader.next();
                line = Math.max(1, reader.getLocation().getLineNumber());
                switch (event) {
                    case XMLStreamConstants.START_ELEMENT -> {
                        Element element = element(document, reader, line);
                        open.appendChild(element);
                        open = element;
                        depth++;
                        if (depth > DEEPEST) {
                            throw new RefusedXmlException(
                                    line,
                                    "<" + element.getTagName() + ">",
                                    "is nested deeper than " + DEEPEST + " elements");
                        }
                    }
                    case XMLStreamConstants.END_ELEMENT -> {
                        open = open.getParentNode();
                        depth--;
                    }
                    case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
                        if (depth > 0) {
                            open.appendChild(document.createTextNode(reader.getText()));
                        }
                    }
                    case XMLStreamConstants.DTD ->
                        throw new RefusedXmlException(
                                line,
                                "<!DOCTYPE>",
                                "document types and entities are not allowed; remove the declaration");
                    default -> {}
                }
            }
        } catch (XMLStreamException e) {
            int at = e.getLocation() == null ? line : e.getLocation().getLineNumber();
            throw new RefusedXmlException(Math.max(1, at), "", "is not well-formed XML: " + reason(e));
        }
        document.getDocumentElement().setAttributeNS(XMLConstants.XML_NS_URI, SPACE, "preserve");
        return document;
    }

    private static void refuseOtherEncodings(XMLStreamReader reader) throws RefusedXmlException {
        String encoding = reader.getCharacterEncodingScheme();
        if (encoding != null && !encoding.equalsIgnoreCase("UTF-8")) {
            throw new RefusedXmlException(
                    1, "<?xml encoding", encoding, "must be UTF-8, the only encoding that is read");
        }
    }

    private static Element element(Document document, XMLStreamReader reader, int line) throws RefusedXmlException {
        if (reader.getNamespaceCount() > 0 || reader.getNamespaceURI() != null) {
            throw new RefusedXmlException(
                    line,
                    "<" + reader.getLocalName() + ">",
                    "name spaces are not used here; remove xmlns and prefixes");
        }
        Element element = document.createElement(reader.getLocalName());
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            element.setAttribute(reader.getAttributeLocalName(i), reader.getAttributeValue(i));
        }
        element.setAttributeNS(XMLConstants.XML_NS_URI, LINE, String.valueOf(line));
        return element;
    }

    private static String reason(XMLStreamException e) {
        String message = String.valueOf(e.getMessage());
        int start = message.indexOf(PARSER_PREFIX);
        return start < 0 ? message : message.substring(start + PARSER_PREFIX.length());
    }

    // ---- the other methods of a DocumentBuilder; nothing here can be configured ----

    @Override
    public boolean isNamespaceAware() {
        return true;
    }

    @Override
    public boolean isValidating() {
        return false;
    }

    @Override
    public void setEntityResolver(@Nullable EntityResolver resolver) {
        // no entity is ever resolved
    }

    @Override
    public void setErrorHandler(@Nullable ErrorHandler handler) {
        // every error is thrown
    }

    @Override
    public Document newDocument() {
        return documents.newDocument();
    }

    @Override
    public DOMImplementation getDOMImplementation() {
        return documents.getDOMImplementation();
    }
}
