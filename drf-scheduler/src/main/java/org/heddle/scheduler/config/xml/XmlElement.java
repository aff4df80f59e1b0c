// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.xml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.scheduler.config.schema.ElementSchema;

/** An element of a file together with the line it stands on, which no tree of the JDK keeps. Complete once read. */
final class XmlElement {
    private final String name;
    private final int line;
    private final Map<String, String> attributes = new LinkedHashMap<>();
    private final StringBuilder text = new StringBuilder();
    private final List<XmlElement> children = new ArrayList<>();

    XmlElement(String name, int line) {
        this.name = name;
        this.line = line;
    }

    void attribute(String key, String value) {
        attributes.put(key, value);
    }

    void appendText(String more) {
        text.append(more);
    }

    void append(XmlElement child) {
        children.add(child);
    }

    String name() {
        return name;
    }

    int line() {
        return line;
    }

    /** The name as it is shown to an admin. */
    String tag() {
        return "<" + name + ">";
    }

    Map<String, String> attributes() {
        return attributes;
    }

    /** An attribute's value without blanks around it; empty if there is none. */
    String attribute(String key) {
        return attributes.getOrDefault(key, "").strip();
    }

    /** The text as it stands there, blanks and all. */
    String rawText() {
        return text.toString();
    }

    String text() {
        return text.toString().strip();
    }

    List<XmlElement> children() {
        return children;
    }

    List<XmlElement> children(ElementSchema rule) {
        return children.stream().filter(child -> child.name.equals(rule.name())).toList();
    }

    Optional<XmlElement> child(ElementSchema rule) {
        return children.stream().filter(child -> child.name.equals(rule.name())).findFirst();
    }
}
