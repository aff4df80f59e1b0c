// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.xml;

import org.w3c.dom.Document;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;

/**
 * Prints a document as it was read, comments and blanks included. The JDK's own printer puts a comment before the root
 * on the line of the XML declaration.
 */
public final class XmlPrinter {
    private final StringBuilder text = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");

    private XmlPrinter() {}

    public static String print(Document document) {
        XmlPrinter printer = new XmlPrinter();
        for (Node child = document.getFirstChild(); child != null; child = child.getNextSibling()) {
            printer.node(child);
            printer.text.append('\n');
        }
        return printer.text.toString();
    }

    private void node(Node node) {
        switch (node.getNodeType()) {
            case Node.ELEMENT_NODE -> element(node);
            case Node.TEXT_NODE -> text.append(XmlWriter.escaped(node.getNodeValue()));
            case Node.CDATA_SECTION_NODE ->
                text.append("<![CDATA[").append(node.getNodeValue()).append("]]>");
            case Node.COMMENT_NODE ->
                text.append("<!--").append(node.getNodeValue()).append("-->");
            case Node.PROCESSING_INSTRUCTION_NODE ->
                text.append("<?")
                        .append(node.getNodeName())
                        .append(' ')
                        .append(node.getNodeValue())
                        .append("?>");
            default -> throw new IllegalStateException("unexpected " + node.getNodeName());
        }
    }

    private void element(Node element) {
        text.append('<').append(element.getNodeName());
        NamedNodeMap attributes = element.getAttributes();
        for (int i = 0; i < attributes.getLength(); i++) {
            Node attribute = attributes.item(i);
            text.append(' ')
                    .append(attribute.getNodeName())
                    .append("=\"")
                    .append(XmlWriter.escaped(attribute.getNodeValue())
                            .replace("\n", "&#10;")
                            .replace("\t", "&#9;"))
                    .append('"');
        }
        if (element.getFirstChild() == null) {
            text.append("/>");
            return;
        }
        text.append('>');
        for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
            node(child);
        }
        text.append("</").append(element.getNodeName()).append('>');
    }
}
