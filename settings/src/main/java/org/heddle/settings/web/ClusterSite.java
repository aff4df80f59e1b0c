// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.web;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilder;
import org.heddle.settings.RestrictedXml;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/** The ResourceManagers of the cluster whose site files the environment names. */
public final class ClusterSite {
    private static final URI LOCAL = URI.create("http://localhost:8088");

    private ClusterSite() {}

    /**
     * The web addresses in the yarn-site.xml of {@code HADOOP_CONF_DIR}, or of {@code etc/hadoop} in {@code
     * HADOOP_HOME}; without such a file this machine's.
     *
     * @throws IOException one sentence, if the file cannot be read
     */
    public static List<URI> resourceManagers(Map<String, String> environment) throws IOException {
        String conf = environment.getOrDefault("HADOOP_CONF_DIR", "");
        String home = environment.getOrDefault("HADOOP_HOME", "");
        Path file = conf.isEmpty() ? Path.of(home, "etc", "hadoop", "yarn-site.xml") : Path.of(conf, "yarn-site.xml");
        if ((conf.isEmpty() && home.isEmpty()) || !Files.isRegularFile(file)) {
            return List.of(LOCAL);
        }
        Map<String, String> properties = read(file);
        return WebAddress.ofResourceManagers(key -> {
            String value = properties.get(key);
            // A host is often named once, and referred to: ${yarn.resourcemanager.hostname}:8088.
            for (Map.Entry<String, String> other : properties.entrySet()) {
                value = value == null ? null : value.replace("${" + other.getKey() + "}", other.getValue());
            }
            return value;
        });
    }

    private static Map<String, String> read(Path file) throws IOException {
        Map<String, String> properties = new HashMap<>();
        try (InputStream in = Files.newInputStream(file)) {
            DocumentBuilder builder = RestrictedXml.documents();
            builder.setErrorHandler(new DefaultHandler()); // the usual one writes to standard error
            NodeList all = builder.parse(in).getElementsByTagName("property");
            for (int i = 0; i < all.getLength(); i++) {
                Element property = (Element) all.item(i);
                properties.put(text(property, "name"), text(property, "value"));
            }
        } catch (SAXException e) {
            throw new IOException(file + " is not a site file of Hadoop: " + e.getMessage(), e);
        }
        return properties;
    }

    private static String text(Element property, String tag) {
        NodeList found = property.getElementsByTagName(tag);
        return found.getLength() == 0 ? "" : found.item(0).getTextContent().strip();
    }
}
