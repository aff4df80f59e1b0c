// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.edit;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.read.SpecReader;
import org.heddle.scheduler.config.schema.ConfigSchema;
import org.heddle.scheduler.config.schema.ElementSchema;
import org.heddle.scheduler.config.schema.PlanSchema;
import org.heddle.scheduler.config.site.SiteFile;
import org.heddle.scheduler.config.xml.ConfigNode;
import org.heddle.scheduler.config.xml.Problems;
import org.heddle.scheduler.config.xml.XmlFile;
import org.heddle.scheduler.config.xml.XmlPrinter;
import org.heddle.settings.RestrictedXml;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * Changes the text of {@code heddle-scheduler.xml} and keeps everything else in it, also comments; that of a {@code
 * capacity-scheduler.xml} by its own keys. {@link SpecReader} decides whether the result is valid.
 */
public final class SpecEditor {
    private static final String INDENT = "  ";

    private final Problems problems;
    private final Document document;

    private SpecEditor(String file, Document document) {
        this.problems = new Problems(file);
        this.document = document;
    }

    /**
     * The file after a change.
     *
     * @param file its name, for messages
     * @param content its bytes
     * @throws ConfigurationException with one sentence for each part of the change that is not possible
     */
    public static byte[] change(String file, byte[] content, SpecChange change) throws ConfigurationException {
        if (SiteFile.isOne(content)) {
            return SiteEditor.change(file, content, change);
        }
        requireOurs(file, content);
        SpecEditor editor = new SpecEditor(file, parse(content));
        editor.apply(change);
        if (!editor.problems.isEmpty()) {
            throw editor.problems.exception();
        }
        return XmlPrinter.print(editor.document).getBytes(StandardCharsets.UTF_8);
    }

    /** The settings of the file, by keys ({@link SpecKeys}). */
    public static SortedMap<String, String> listing(String file, byte[] content) throws ConfigurationException {
        if (SiteFile.isOne(content)) {
            return SiteEditor.listing(file, content);
        }
        return SpecKeys.listing(requireOurs(file, content));
    }

    private static ConfigNode requireOurs(String file, byte[] content) throws ConfigurationException {
        ConfigNode root = XmlFile.read(file, content);
        if (!root.name().equals(ConfigSchema.FILE.name())) {
            Problems problems = new Problems(file);
            problems.add(
                    root.line(),
                    root.tag(),
                    "",
                    "cannot be changed by keys: only a <" + ConfigSchema.FILE.name()
                            + "> or a capacity-scheduler.xml can; `heddle convert` makes one of a file of FairScheduler's");
            throw problems.exception();
        }
        return root;
    }

    /** After {@link XmlFile} has read it, so it is well formed and without a document type. */
    static Document parse(byte[] content) {
        try {
            return RestrictedXml.documents().parse(new ByteArrayInputStream(content));
        } catch (SAXException | IOException e) {
            throw new IllegalStateException("a file that was read before cannot be read again", e);
        }
    }

    private void apply(SpecChange change) {
        List<String> innermostFirst = new ArrayList<>(change.remove());
        innermostFirst.sort(Comparator.comparing((String path) -> depth(path)).reversed());
        innermostFirst.forEach(this::remove);
        List<SpecChange.OfQueue> outermostFirst = new ArrayList<>(change.add());
        outermostFirst.sort(Comparator.comparing((SpecChange.OfQueue queue) -> depth(queue.path())));
        outermostFirst.forEach(this::add);
        change.update().forEach(queue -> {
            Element element = queue(queue.path());
            if (element == null) {
                refuse(queue.path(), "", "is not a queue of this file: add it, or give the path of one from root on");
            } else {
                set(element, ConfigSchema.QUEUE, queue.path() + ":", queue.settings());
            }
        });
        set(document.getDocumentElement(), ConfigSchema.FILE, "", change.global());
    }

    private static long depth(String path) {
        return path.chars().filter(c -> c == '.').count();
    }

    private void refuse(String what, String value, String wayOut) {
        problems.add(0, what, value, wayOut);
    }

    // ---- queues ----

    /** The queue of a path; null if there is none. */
    private @Nullable Element queue(String path) {
        Element at = document.getDocumentElement();
        for (String name : path.split("\\.", -1)) {
            Element found = null;
            for (Element child : elements(at)) {
                if (child.getTagName().equals(ConfigSchema.QUEUE.name())
                        && child.getAttribute("name").strip().equals(name)) {
                    found = child;
                }
            }
            if (found == null) {
                return null;
            }
            at = found;
        }
        return at;
    }

    private void remove(String path) {
        Element queue = queue(path);
        if (queue == null) {
            refuse(path, "", "is not a queue of this file, so it cannot be removed");
        } else if (path.equals(ConfigSchema.ROOT_QUEUE)) {
            refuse(path, "", "holds all other queues and cannot be removed");
        } else if (elements(queue).stream().anyMatch(child -> child.getTagName().equals(ConfigSchema.QUEUE.name()))) {
            refuse(path, "", "has queues inside; remove those too, in the same change");
        } else {
            detach(queue);
        }
    }

    private void add(SpecChange.OfQueue added) {
        String path = added.path();
        int dot = path.lastIndexOf('.');
        Element parent = dot < 0 ? null : queue(path.substring(0, dot));
        if (queue(path) != null) {
            refuse(path, "", "is a queue of this file already; update it");
        } else if (parent == null) {
            refuse(path, "", "has no queue above it in this file; give a path from root on, and add that one too");
        } else {
            Element queue = document.createElement(ConfigSchema.QUEUE.name());
            queue.setAttribute("name", path.substring(dot + 1));
            append(parent, queue, null);
            set(queue, ConfigSchema.QUEUE, path + ":", added.settings());
        }
    }

    // ---- settings ----

    private void set(Element element, ElementSchema rule, String prefix, Map<String, String> settings) {
        new TreeMap<>(settings).forEach((key, value) -> {
            List<SpecKeys.Step> steps = SpecKeys.steps(rule, key);
            if (steps == null) {
                refuse(prefix + key, value, "is no key here: " + KnownNames.choices(key, SpecKeys.known(rule)));
            } else {
                set(element, steps, prefix + key, value.strip());
            }
        });
    }

    private void set(Element element, List<SpecKeys.Step> steps, String key, String value) {
        Element at = element;
        for (int i = 0; i < steps.size() - 1; i++) {
            Element next = find(at, steps.get(i));
            if (next == null && value.isEmpty()) {
                return;
            }
            at = next == null ? create(at, steps.get(i)) : next;
        }
        SpecKeys.Step last = steps.get(steps.size() - 1);
        String attribute = last.attribute();
        if (attribute != null) {
            if (value.isEmpty()) {
                at.removeAttribute(attribute);
            } else {
                at.setAttribute(attribute, value);
            }
        } else if (last.element().text() == null) {
            setPresence(at, last, key, value);
        } else {
            setText(at, last, value);
        }
        dropIfEmpty(at, element, steps);
    }

    private void setPresence(Element parent, SpecKeys.Step step, String key, String value) {
        Element present = find(parent, step);
        if (value.isEmpty()) {
            if (present != null) {
                detach(present);
            }
        } else if (!value.equals(SpecKeys.PRESENT)) {
            refuse(
                    key,
                    value,
                    "must be " + SpecKeys.PRESENT + ", or empty to take it away; what stands inside has keys"
                            + " of its own");
        } else if (present == null) {
            create(parent, step);
        }
    }

    /** If a key names several elements, each value becomes an element. */
    private void setText(Element parent, SpecKeys.Step step, String value) {
        String selected = step.selected();
        boolean many = selected != null && ConfigSchema.RESOURCE_AMOUNTS.contains(step.element());
        String[] values = many ? value.split("\\s*,\\s*", -1) : new String[] {value};
        Element present = find(parent, step);
        if (present != null && values.length == 1 && !value.isEmpty()) {
            Element twin = present;
            present.setTextContent(value);
            for (Element other : matching(parent, step)) {
                if (other != twin) {
                    detach(other);
                }
            }
            return;
        }
        matching(parent, step).forEach(this::detach);
        for (String one : values) {
            if (!value.isEmpty()) {
                create(parent, step).setTextContent(one);
            }
        }
    }

    /** A list without entries is removed. */
    private void dropIfEmpty(Element at, Element top, List<SpecKeys.Step> steps) {
        boolean list = steps.size() > 1 && steps.get(steps.size() - 1).attribute() == null;
        boolean plan = at.getTagName().equals(PlanSchema.PLAN.name());
        if (at != top
                && list
                && !plan
                && elements(at).isEmpty()
                && at.getAttributes().getLength() == 0) {
            detach(at);
        }
    }

    private @Nullable Element find(Element parent, SpecKeys.Step step) {
        List<Element> all = matching(parent, step);
        return all.isEmpty() ? null : all.get(0);
    }

    private static List<Element> matching(Element parent, SpecKeys.Step step) {
        List<Element> all = new ArrayList<>();
        String selector = step.selector();
        for (Element child : elements(parent)) {
            boolean named = child.getTagName().equals(step.element().name());
            boolean selected;
            if (selector == null) {
                selected = step.element().attributes().isEmpty()
                        || step.element().text() == null
                        || !child.hasAttribute(
                                step.element().attributes().get(0).name());
            } else {
                selected = child.getAttribute(selector).strip().equals(step.selected());
            }
            if (named && selected) {
                all.add(child);
            }
        }
        return all;
    }

    private Element create(Element parent, SpecKeys.Step step) {
        Element made = document.createElement(step.element().name());
        String selector = step.selector();
        if (selector != null) {
            made.setAttribute(selector, step.selected());
        }
        Element firstQueue = elements(parent).stream()
                .filter(child -> child.getTagName().equals(ConfigSchema.QUEUE.name()))
                .findFirst()
                .orElse(null);
        append(parent, made, firstQueue);
        return made;
    }

    // ---- text around elements ----

    /** On a line of its own, before a sibling or at the end. */
    private void append(Element parent, Element made, @Nullable Element before) {
        String indent = INDENT.repeat(depthOf(parent) + 1);
        if (before != null) {
            parent.insertBefore(made, before);
            parent.insertBefore(document.createTextNode("\n" + indent), before);
            return;
        }
        Node last = parent.getLastChild();
        if (last != null
                && last.getNodeType() == Node.TEXT_NODE
                && last.getTextContent().isBlank()) {
            parent.removeChild(last);
        }
        parent.appendChild(document.createTextNode("\n" + indent));
        parent.appendChild(made);
        parent.appendChild(document.createTextNode("\n" + INDENT.repeat(depthOf(parent))));
    }

    private static int depthOf(Node node) {
        int depth = -1;
        for (Node at = node; at instanceof Element; at = at.getParentNode()) {
            depth++;
        }
        return depth;
    }

    private void detach(Element element) {
        Node before = element.getPreviousSibling();
        if (before != null
                && before.getNodeType() == Node.TEXT_NODE
                && before.getTextContent().isBlank()) {
            element.getParentNode().removeChild(before);
        }
        element.getParentNode().removeChild(element);
    }

    private static List<Element> elements(Node parent) {
        List<Element> all = new ArrayList<>();
        for (Node child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element element) {
                all.add(element);
            }
        }
        return all;
    }
}
