// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.site;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.Problem;
import org.heddle.settings.RestrictedXml;

/**
 * One of Hadoop's site files. Document types and entities are not followed, so that a file cannot make its reader open
 * another one; included files are read only where the caller asks for it.
 *
 * @param path where it is
 * @param properties name to value and line; the last one if a name occurs twice, unless the first one is final
 * @param repeated names with two different values
 * @param includes files that it includes and that were not read
 */
public record SiteFile(Path path, Map<String, Property> properties, List<String> repeated, List<String> includes) {
    /** The outermost element of such a file. */
    public static final String ROOT_ELEMENT = "configuration";

    /**
     * A value and where it stands.
     *
     * @param value with the blanks around it
     * @param line of its element's start tag
     * @param isFinal whether no file that is read later changes it
     * @param file the file's name where it is an included one; empty in the file itself
     */
    public record Property(String value, int line, boolean isFinal, String file) {}

    /**
     * A file of which included files are not read.
     *
     * @throws IOException one sentence if this is not a readable site file
     */
    public static SiteFile read(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            return new SiteFileParser(path, false).read(RestrictedXml.reader(in));
        } catch (XMLStreamException e) {
            throw new IOException(SiteFileParser.unreadable(path, e).getMessage(), e);
        } catch (SiteFileParser.Refused e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /**
     * A file and the files of the same disk that it includes.
     *
     * @param shown its path, or another name of it; then it can include only absolute paths
     * @throws ConfigurationException with one sentence if it, or one that it includes, is not a readable site file
     */
    public static SiteFile withIncludes(String shown, byte[] content) throws ConfigurationException {
        Path path = Path.of(shown.contains("://") ? shown.replaceAll("^[^:]*://+", "/") : shown);
        try {
            SiteFile file = new SiteFileParser(path, !shown.contains("://"))
                    .read(RestrictedXml.reader(new ByteArrayInputStream(content)));
            if (!file.includes().isEmpty()) {
                throw new SiteFileParser.Refused(
                        path,
                        0,
                        "includes " + file.includes().get(0) + ", but only a file on this machine's disk may include"
                                + " others; put the properties here");
            }
            return file;
        } catch (XMLStreamException e) {
            throw refused(shown, SiteFileParser.unreadable(path, e));
        } catch (SiteFileParser.Refused e) {
            throw refused(shown, e);
        }
    }

    private static ConfigurationException refused(String shown, SiteFileParser.Refused e) {
        return new ConfigurationException(List.of(new Problem(shown, e.line(), "", "", e.wayOut())));
    }

    /** Whether the outermost element is that of a site file. */
    public static boolean isOne(byte[] content) {
        try {
            XMLStreamReader xml = RestrictedXml.reader(new ByteArrayInputStream(content));
            while (xml.hasNext()) {
                if (xml.next() == XMLStreamReader.START_ELEMENT) {
                    return xml.getLocalName().equals(ROOT_ELEMENT);
                }
            }
            return false;
        } catch (XMLStreamException e) {
            return false; // the reader of queue files says why
        }
    }
}
