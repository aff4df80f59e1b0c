// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.edit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.capacity.CapacityFileReader;
import org.heddle.scheduler.config.site.SiteFile;
import org.heddle.scheduler.config.xml.Problems;
import org.heddle.scheduler.config.xml.XmlPrinter;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Changes the text of {@code capacity-scheduler.xml} as CapacityScheduler's mutations say, and keeps everything else in
 * it: a queue that comes or goes also does so in the list of the queue above it, and its properties come or go.
 */
final class SiteEditor {
    private static final String PROPERTY = "property";
    private static final String NAME = "name";
    private static final String VALUE = "value";
    private static final String QUEUES = "queues";

    private final Document document;
    private final Problems problems;

    private SiteEditor(String file, Document document) {
        this.document = document;
        this.problems = new Problems(file);
    }

    /** The file after a change; see {@link SpecEditor#change}. */
    static byte[] change(String file, byte[] content, SpecChange change) throws ConfigurationException {
        SiteFile.withIncludes(file, content); // whether it can be read
        SiteEditor editor = new SiteEditor(file, SpecEditor.parse(content));
        change.remove().forEach(editor::remove);
        change.add().forEach(editor::add);
        change.update().forEach(editor::update);
        change.global().forEach(editor::set);
        if (!editor.problems.isEmpty()) {
            throw editor.problems.exception();
        }
        return XmlPrinter.print(editor.document).getBytes(StandardCharsets.UTF_8);
    }

    /** CapacityScheduler's properties in a file. */
    static SortedMap<String, String> listing(String file, byte[] content) throws ConfigurationException {
        SortedMap<String, String> listing = new TreeMap<>();
        SiteFile.withIncludes(file, content).properties().forEach((key, property) -> {
            if (key.startsWith(CapacityFileReader.prefix())) {
                listing.put(key, property.value());
            }
        });
        return listing;
    }

    private void remove(String path) {
        List<String> siblings = siblings(path);
        if (siblings.remove(name(path))) {
            set(key(parent(path), QUEUES), String.join(",", siblings));
            String ofQueue = key(path, "");
            for (Element property : properties()) {
                if (text(property, NAME).startsWith(ofQueue)) {
                    detach(property);
                }
            }
        } else {
            problems.add(0, path, "", "is not a queue of this file, so it cannot be removed");
        }
    }

    private void add(SpecChange.OfQueue added) {
        String path = added.path();
        List<String> siblings = siblings(path);
        if (siblings.contains(name(path))) {
            problems.add(0, path, "", "is a queue of this file already; update it");
            return;
        }
        siblings.add(name(path));
        set(key(parent(path), QUEUES), String.join(",", siblings));
        set(path, added.settings());
    }

    private void update(SpecChange.OfQueue updated) {
        String path = updated.path();
        if (path.indexOf('.') >= 0 && !siblings(path).contains(name(path))) {
            problems.add(0, path, "", "is not a queue of this file: add it, or give the path of one from root on");
        } else {
            set(path, updated.settings());
        }
    }

    private void set(String path, Map<String, String> settings) {
        settings.forEach((setting, value) -> set(key(path, setting), value));
    }

    /** Without a value the property goes. */
    private void set(String key, String value) {
        List<Element> present = properties().stream()
                .filter(property -> text(property, NAME).equals(key))
                .toList();
        if (value.isEmpty()) {
            present.forEach(SiteEditor::detach);
        } else if (present.isEmpty()) {
            append(key, value);
        } else {
            Element last = child(present.get(present.size() - 1), VALUE);
            if (last == null) {
                problems.add(0, key, value, "stands in this file without a value; correct it there first");
            } else {
                last.setTextContent(value);
            }
        }
    }

    private void append(String key, String value) {
        Element property = document.createElement(PROPERTY);
        for (Map.Entry<String, String> part : List.of(Map.entry(NAME, key), Map.entry(VALUE, value))) {
            Element element = document.createElement(part.getKey());
            element.setTextContent(part.getValue());
            property.appendChild(element);
        }
        Element root = document.getDocumentElement();
        root.appendChild(document.createTextNode("  "));
        root.appendChild(property);
        root.appendChild(document.createTextNode("\n"));
    }

    // ---- paths and elements ----

    /** The names in the list of the queue above. */
    private List<String> siblings(String path) {
        String list = key(parent(path), QUEUES);
        String names = properties().stream()
                .filter(property -> text(property, NAME).equals(list))
                .map(property -> text(property, VALUE))
                .reduce("", (first, last) -> last);
        return new ArrayList<>(Arrays.stream(names.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList());
    }

    private static String key(String path, String setting) {
        return CapacityFileReader.prefix() + path + "." + setting;
    }

    private static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('.')));
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    private List<Element> properties() {
        List<Element> all = new ArrayList<>();
        NodeList found = document.getElementsByTagName(PROPERTY);
        for (int i = 0; i < found.getLength(); i++) {
            all.add((Element) found.item(i));
        }
        return all;
    }

    private static String text(Element property, String name) {
        Element child = child(property, name);
        return child == null ? "" : child.getTextContent().strip();
    }

    private static @Nullable Element child(Element property, String name) {
        return (Element) property.getElementsByTagName(name).item(0);
    }

    private static void detach(Element element) {
        element.getParentNode().removeChild(element);
    }
}
