// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.xml;

import org.xml.sax.SAXException;

/** Invalid or refused XML; carries the parts of a {@code Problem} through the library that calls us. */
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
