// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.site;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.heddle.settings.RestrictedXml;
import org.jspecify.annotations.Nullable;

/** Reads the elements of a site file, and those of the files that it includes. */
final class SiteFileParser {
    private static final String XINCLUDE = "http://www.w3.org/2001/XInclude";
    private static final int DEEPEST_INCLUDE = 10;

    private final Path path;
    private final boolean follows;
    private final int depth;
    private final Map<String, SiteFile.Property> properties;
    private final List<String> repeated = new ArrayList<>();
    private final List<String> includes = new ArrayList<>();
    private String name = "";
    private String value = "";
    private boolean isFinal;
    private int line;
    /** Why the included file that is open cannot be read; null if there is none, or it has a fallback. */
    private @Nullable Refused missing;

    /** A file that cannot be read, with the line in the file that was asked for. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1;
        private final int line;
        private final String wayOut;

        Refused(Path path, int line, String wayOut) {
            super(path + ": line " + line + ": " + wayOut);
            this.line = line;
            this.wayOut = wayOut;
        }

        int line() {
            return line;
        }

        String wayOut() {
            return wayOut;
        }
    }

    SiteFileParser(Path path, boolean follows) {
        this(path, follows, 0, new LinkedHashMap<>());
    }

    private SiteFileParser(Path path, boolean follows, int depth, Map<String, SiteFile.Property> properties) {
        this.path = path;
        this.follows = follows;
        this.depth = depth;
        this.properties = properties;
    }

    static Refused unreadable(Path path, XMLStreamException e) {
        int at = e.getLocation() == null ? 0 : e.getLocation().getLineNumber();
        String reason =
                String.valueOf(e.getMessage()).replaceAll("(?s).*Message: ", "").replaceAll("\\s+", " ");
        return new Refused(path, at, "is not well-formed XML, so Hadoop's daemons do not start with it: " + reason);
    }

    SiteFile read(XMLStreamReader xml) throws XMLStreamException, Refused {
        StringBuilder text = new StringBuilder();
        boolean root = true;
        while (xml.hasNext()) {
            switch (xml.next()) {
                case XMLStreamConstants.DTD ->
                    throw refused(xml, "declares a document type, which is not read here; remove <!DOCTYPE>");
                case XMLStreamConstants.START_ELEMENT -> {
                    if (root && !xml.getLocalName().equals(SiteFile.ROOT_ELEMENT)) {
                        throw refused(
                                xml,
                                "begins with <" + xml.getLocalName()
                                        + ">; one of Hadoop's site files begins with <configuration>");
                    }
                    root = false;
                    text.setLength(0);
                    start(xml);
                }
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> text.append(xml.getText());
                case XMLStreamConstants.END_ELEMENT -> end(xml, text.toString());
                default -> {}
            }
        }
        return new SiteFile(path, properties, repeated, includes);
    }

    private Refused refused(XMLStreamReader xml, String wayOut) {
        return new Refused(path, xml.getLocation().getLineNumber(), wayOut);
    }

    private void start(XMLStreamReader xml) throws XMLStreamException, Refused {
        boolean include =
                XINCLUDE.equals(xml.getNamespaceURI()) || xml.getLocalName().equals("include");
        if (include && xml.getLocalName().equals("fallback")) {
            missing = null;
        } else if (include) {
            include(xml, String.valueOf(xml.getAttributeValue(null, "href")));
        } else if (xml.getLocalName().equals("property")) {
            line = xml.getLocation().getLineNumber();
            name = attribute(xml, "name");
            value = attribute(xml, "value");
            isFinal = attribute(xml, "final").equals("true");
        }
    }

    private static String attribute(XMLStreamReader xml, String name) {
        String text = xml.getAttributeValue(null, name);
        return text == null ? "" : text;
    }

    private void end(XMLStreamReader xml, String text) throws Refused {
        switch (xml.getLocalName()) {
            case "name" -> name = text.strip();
            case "value" -> value = text;
            case "final" -> isFinal = text.strip().equals("true");
            case "property" -> {
                if (!name.isEmpty()) {
                    put();
                }
            }
            case "include" -> {
                if (missing != null) {
                    throw missing;
                }
            }
            default -> {}
        }
    }

    private void put() {
        SiteFile.Property before = properties.get(name);
        if (before != null && !before.value().equals(value)) {
            repeated.add(name);
        }
        if (before == null || !before.isFinal()) {
            Path own = path.getFileName();
            properties.put(name, new SiteFile.Property(value, line, isFinal, depth == 0 ? "" : String.valueOf(own)));
        }
    }

    /** Reads the included file; if that is not possible, the fallback inside the element counts. */
    private void include(XMLStreamReader xml, String href) throws XMLStreamException, Refused {
        if (!follows) {
            includes.add(href);
            return;
        }
        int at = xml.getLocation().getLineNumber();
        if (depth == DEEPEST_INCLUDE) {
            throw refused(xml, "includes " + href + ", and files include each other too deep; put them together");
        }
        Path included;
        try {
            included = path.resolveSibling(href.replaceFirst("^file:/*", "/"));
        } catch (InvalidPathException e) {
            throw refused(xml, "includes " + href + ", which is not the name of a file");
        }
        try (InputStream in = Files.newInputStream(included)) {
            new SiteFileParser(included, true, depth + 1, properties).read(RestrictedXml.reader(in));
            skip(xml);
        } catch (IOException e) {
            missing = new Refused(
                    path,
                    at,
                    "includes " + href + ", which cannot be read on this machine's disk; put the file there, or its"
                            + " properties here");
        } catch (XMLStreamException e) {
            throw within(at, href, unreadable(included, e));
        } catch (Refused e) {
            throw within(at, href, e);
        }
    }

    private Refused within(int at, String href, Refused e) {
        return new Refused(path, at, "includes " + href + ", of which line " + e.line() + " " + e.wayOut());
    }

    /** Goes to the end of an element whose content does not count. */
    private static void skip(XMLStreamReader xml) throws XMLStreamException {
        for (int open = 1; open > 0; ) {
            int event = xml.next();
            open += event == XMLStreamConstants.START_ELEMENT ? 1 : 0;
            open -= event == XMLStreamConstants.END_ELEMENT ? 1 : 0;
        }
    }
}
