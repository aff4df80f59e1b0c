// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.xml;

import org.xml.sax.SAXException;

/** Text that is no XML, or XML that is not read; it carries the parts of a problem through the library that calls us. */
final class RefusedXmlException extends SAXException {
    private static final long serialVersionUID = 1L;

    private final int line;
    private final String element;
    private final String value;

    RefusedXmlException(int line, String element, String wayOut) {
        this(line, element, "", wayOut);
    }

    RefusedXmlException(int line, String element, String value, String wayOut) {
        super(wayOut);
        this.line = line;
        this.element = element;
        this.value = value;
    }

    int line() {
        return line;
    }

    String element() {
        return element;
    }

    String value() {
        return value;
    }

    String wayOut() {
        return String.valueOf(getMessage());
    }
}
