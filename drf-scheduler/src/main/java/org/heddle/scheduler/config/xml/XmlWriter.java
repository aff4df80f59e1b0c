// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.xml;

import java.util.Map;

/** Writes indented XML, element by element. */
public final class XmlWriter {
    private static final String INDENT = "  ";

    private final StringBuilder text = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    private int depth;

    public void comment(String words) {
        line("<!-- " + words.replace("--", "- -") + " -->");
    }

    public void open(String name, Map<String, String> attributes) {
        line("<" + name + written(attributes) + ">");
        depth++;
    }

    public void close(String name) {
        depth--;
        line("</" + name + ">");
    }

    public void empty(String name, Map<String, String> attributes) {
        line("<" + name + written(attributes) + "/>");
    }

    public void value(String name, Map<String, String> attributes, String value) {
        line("<" + name + written(attributes) + ">" + escaped(value) + "</" + name + ">");
    }

    private void line(String content) {
        text.append(INDENT.repeat(depth)).append(content).append('\n');
    }

    private static String written(Map<String, String> attributes) {
        StringBuilder written = new StringBuilder();
        attributes.forEach((name, value) -> {
            if (!value.isEmpty()) {
                written.append(' ')
                        .append(name)
                        .append("=\"")
                        .append(escaped(value))
                        .append('"');
            }
        });
        return written.toString();
    }

    static String escaped(String value) {
        return value.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
