// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.xml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.scheduler.config.schema.ElementSchema;

/** An element of a file together with the line it stands on, which no tree of the JDK keeps. Complete once read. */
public final class XmlElement {
    private final String name;
    private final int line;
    private final Map<String, String> attributes = new LinkedHashMap<>();
    private final StringBuilder text = new StringBuilder();
    private final List<XmlElement> children = new ArrayList<>();

    public XmlElement(String name, int line) {
        this.name = name;
        this.line = line;
    }

    public void attribute(String key, String value) {
        attributes.put(key, value);
    }

    void appendText(String more) {
        text.append(more);
    }

    void append(XmlElement child) {
        children.add(child);
    }

    public String name() {
        return name;
    }

    public int line() {
        return line;
    }

    /** The name as it is shown to an admin. */
    public String tag() {
        return "<" + name + ">";
    }

    public Map<String, String> attributes() {
        return attributes;
    }

    /** An attribute's value without blanks around it; empty if there is none. */
    public String attribute(String key) {
        return attributes.getOrDefault(key, "").strip();
    }

    /** The text as it stands there, blanks and all. */
    public String rawText() {
        return text.toString();
    }

    public String text() {
        return text.toString().strip();
    }

    public List<XmlElement> children() {
        return children;
    }

    public List<XmlElement> children(ElementSchema rule) {
        return children.stream().filter(child -> child.name.equals(rule.name())).toList();
    }

    public Optional<XmlElement> child(ElementSchema rule) {
        return children.stream().filter(child -> child.name.equals(rule.name())).findFirst();
    }
}
