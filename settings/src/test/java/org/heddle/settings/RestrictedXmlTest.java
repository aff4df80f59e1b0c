// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.SAXException;

class RestrictedXmlTest {
    private static final String SECRET = "text-of-another-file";

    private final AtomicInteger requests = new AtomicInteger();
    private HttpServer server;
    private List<String> types;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        String address = "'http://127.0.0.1:" + server.getAddress().getPort() + "/'";
        String file =
                "'" + Files.writeString(directory.resolve("secret"), SECRET).toUri() + "'";
        types = List.of(
                "<!DOCTYPE a [<!ENTITY e SYSTEM " + file + ">]><a>&e;</a>",
                "<!DOCTYPE a [<!ENTITY e SYSTEM " + address + ">]><a>&e;</a>",
                "<!DOCTYPE a [<!ENTITY % p SYSTEM " + address + "> %p;]><a/>",
                "<!DOCTYPE a SYSTEM " + address + "><a/>",
                "<!DOCTYPE a SYSTEM " + file + "><a/>");
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    /** All text of a stream, or why it ends. */
    private static String textOf(XMLStreamReader reader) {
        StringBuilder text = new StringBuilder();
        try {
            while (reader.hasNext()) {
                reader.next();
                if (reader.isCharacters()) {
                    text.append(reader.getText());
                }
            }
        } catch (XMLStreamException e) {
            text.append(e.getMessage());
        }
        return text.toString();
    }

    @Test
    void nothingThatATypeNamesIsOpened() throws XMLStreamException {
        for (String xml : types) {
            assertThat(textOf(RestrictedXml.reader(bytes(xml)))).as(xml).doesNotContain(SECRET);
            assertThat(textOf(RestrictedXml.reader(new StringReader(xml))))
                    .as(xml)
                    .doesNotContain(SECRET);
            assertThatThrownBy(() -> RestrictedXml.documents().parse(bytes(xml)))
                    .as(xml)
                    .isInstanceOf(SAXException.class)
                    .hasMessageContaining("DOCTYPE");
        }
        assertThat(requests).hasValue(0);
    }

    @Test
    void anIncludeIsAnElementLikeAnyOther() throws Exception {
        String xml = "<a xmlns:xi='http://www.w3.org/2001/XInclude'><xi:include href='http://127.0.0.1:"
                + server.getAddress().getPort() + "/'/></a>";
        assertThat(textOf(RestrictedXml.reader(bytes(xml)))).isEmpty();
        assertThat(RestrictedXml.documents()
                        .parse(bytes(xml))
                        .getElementsByTagName("xi:include")
                        .getLength())
                .isEqualTo(1);
        assertThat(requests).hasValue(0);
    }
}
