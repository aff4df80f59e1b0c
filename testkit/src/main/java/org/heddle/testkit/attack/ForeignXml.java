// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.attack;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Configurations of a user who wants the reader to open something for him: a file of the reader, or an address, behind
 * which this counts the requests.
 */
public final class ForeignXml implements AutoCloseable {
    /** The text of the file and of the answer: no output may have it. */
    public static final String SECRET = "text-of-another-file";

    private static final String PROPERTY = "<property><name>%s</name><value>%s</value></property>";

    private final AtomicInteger requests = new AtomicInteger();
    private final HttpServer server;
    private final String property;
    private final String text;
    private final String configuration;
    private final String address;

    /**
     * @param directory for the reader's files
     * @param property the one that gets the text
     */
    public ForeignXml(Path directory, String property) throws IOException {
        this.property = property;
        text = Files.writeString(directory.resolve("secret.txt"), SECRET)
                .toUri()
                .toString();
        String content = "<configuration>" + PROPERTY.formatted(property, SECRET) + "</configuration>";
        configuration = Files.writeString(directory.resolve("secret.xml"), content)
                .toUri()
                .toString();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            byte[] answer = content.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        address = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    /** Configurations that cannot be read without the other file; from what they use to their text. */
    public Map<String, String> using() {
        Map<String, String> using = new TreeMap<>();
        using.put("entity of a file", entity(text));
        using.put("entity of an address", entity(address));
        using.put("include of a file", include("href='" + configuration + "'"));
        using.put("include of an address", include("href='" + address + "'"));
        using.put("include as text", include("parse='text' href='" + text + "'"));
        return using;
    }

    /** Configurations that name the other file in their document type only, whose value is 3 without it. */
    public Map<String, String> declaring() {
        String body = "<configuration>" + PROPERTY.formatted(property, "3") + "</configuration>";
        Map<String, String> declaring = new TreeMap<>();
        declaring.put("type at an address", "<!DOCTYPE configuration SYSTEM '" + address + "'>" + body);
        declaring.put("type in a file", "<!DOCTYPE configuration SYSTEM '" + text + "'>" + body);
        declaring.put(
                "part of the type", "<!DOCTYPE configuration [<!ENTITY % p SYSTEM '" + address + "'> %p;]>" + body);
        return declaring;
    }

    private String entity(String what) {
        return "<!DOCTYPE configuration [<!ENTITY x SYSTEM '" + what + "'>]><configuration>"
                + PROPERTY.formatted(property, "&x;") + "</configuration>";
    }

    private static String include(String attributes) {
        return "<configuration xmlns:xi='http://www.w3.org/2001/XInclude'><xi:include " + attributes
                + "/></configuration>";
    }

    /** How often somebody asked the address. */
    public int requests() {
        return requests.get();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
