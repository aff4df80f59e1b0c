// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.xml;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.commons.configuration2.tree.DefaultExpressionEngine;
import org.apache.commons.configuration2.tree.ImmutableNode;
import org.apache.commons.configuration2.tree.InMemoryNodeModel;
import org.apache.commons.configuration2.tree.NodeHandler;
import org.apache.commons.configuration2.tree.QueryResult;
import org.heddle.scheduler.config.schema.ElementSchema;

/**
 * An element of a configuration file: a node of commons-configuration2's tree, with its line. Values
 * are those of the file, character by character: nothing is interpolated and nothing is split at commas.
 */
public final class ConfigNode {
    /** Has no state except its root, which the queries here do not use. */
    private static final NodeHandler<ImmutableNode> NODES = new InMemoryNodeModel().getNodeHandler();

    private final ImmutableNode node;

    ConfigNode(ImmutableNode node) {
        this.node = node;
    }

    /**
     * A node without attributes, text and children, for an element that a file leaves out.
     *
     * @param line the line to report for it
     */
    public static ConfigNode absent(String name, int line) {
        return new ConfigNode(new ImmutableNode.Builder()
                .name(name)
                .addAttribute(LineDocumentBuilder.LINE, String.valueOf(line))
                .create());
    }

    public String name() {
        return node.getNodeName();
    }

    /** The line of its start tag, from 1; where the tag has several lines, the last of them. */
    public int line() {
        return Integer.parseInt(String.valueOf(node.getAttributes().get(LineDocumentBuilder.LINE)));
    }

    /** The name as an administrator reads it. */
    public String tag() {
        return "<" + name() + ">";
    }

    /** The attributes in the file, in the order of their names. */
    public Map<String, String> attributes() {
        Map<String, String> attributes = new TreeMap<>();
        node.getAttributes().forEach((name, value) -> {
            if (!isOurs(name)) {
                attributes.put(name, String.valueOf(value));
            }
        });
        return attributes;
    }

    /** An attribute's value without blanks around it; empty if there is none. */
    public String attribute(String name) {
        Object value = isOurs(name) ? null : node.getAttributes().get(name);
        return value == null ? "" : value.toString().strip();
    }

    /** The attributes that we add have a colon in their names; those of a file have none. */
    private static boolean isOurs(String attribute) {
        return attribute.indexOf(':') >= 0;
    }

    /** The text as in the file, with blanks. */
    public String rawText() {
        return node.getValue() == null ? "" : node.getValue().toString();
    }

    public String text() {
        return rawText().strip();
    }

    public List<ConfigNode> children() {
        return node.getChildren().stream().map(ConfigNode::new).toList();
    }

    /**
     * The elements that an expression of commons-configuration2 finds below this one.
     *
     * @param expression for example {@code queue}, {@code queue(0).max-resources.resource}
     */
    public List<ConfigNode> query(String expression) {
        return DefaultExpressionEngine.INSTANCE.query(node, expression, NODES).stream()
                .filter(result -> !result.isAttributeResult())
                .map(QueryResult::getNode)
                .map(ConfigNode::new)
                .toList();
    }

    /** The elements directly below this one that the schema describes so. */
    public List<ConfigNode> children(ElementSchema schema) {
        return query(schema.name());
    }

    /** The first of them. */
    public Optional<ConfigNode> child(ElementSchema schema) {
        return children(schema).stream().findFirst();
    }
}
