// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.servlet.ServletContext;
import org.apache.hadoop.http.HttpServer2;
import org.jspecify.annotations.Nullable;

/**
 * The frame of Heddle's web pages, which are one application with sections: the document around a section, with links
 * to the other sections, and the files (scripts, styles) that pages load from {@code static/} beside them. Other
 * modules add their section with {@link #addSection}.
 *
 * <p>No page has an inline script or style, and {@link #CONTENT_SECURITY_POLICY} forbids them.
 */
public final class ConsoleFrame {
    /** Value of the header field of this name, for every page. */
    public static final String CONTENT_SECURITY_POLICY = "default-src 'none'; connect-src 'self'; script-src 'self';"
            + " style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

    /** The path of files, relative to a page. */
    public static final String STATIC = "static/";

    private static final String SECTIONS = ConsoleFrame.class.getName() + ".sections";
    private static final Pattern FILE = Pattern.compile("([A-Za-z-]+/){0,2}[A-Za-z_][A-Za-z0-9_-]*\\.(js|css|txt)");
    private static final Map<String, String> TYPES = Map.of(
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "txt", "text/plain; charset=utf-8");
    private static final Section SCHEDULER = new Section("Scheduler", "/heddle/");
    private static final Section USAGE = new Section("Usage", "/heddle/usage");
    private static final Section RESOURCE_MANAGER = new Section("ResourceManager", "/cluster");

    private ConsoleFrame() {}

    /**
     * A part of the application.
     *
     * @param name in the navigation
     * @param path of its page on the web server
     */
    public record Section(String name, String path) {}

    /** A file that a page loads. */
    public record File(String contentType, byte[] bytes) {}

    /** Adds a section to the navigation of all pages of a web server, before the server starts. */
    public static void addSection(HttpServer2 server, Section section) {
        List<Section> all = new ArrayList<>(sections(server.getAttribute(SECTIONS)));
        if (!all.contains(section)) {
            all.add(section);
        }
        server.setAttribute(SECTIONS, List.copyOf(all));
    }

    /** The added sections of a web server. */
    static List<Section> sections(ServletContext context) {
        return sections(context.getAttribute(SECTIONS));
    }

    private static List<Section> sections(@Nullable Object attribute) {
        List<Section> found = new ArrayList<>();
        if (attribute instanceof List<?> added) {
            for (Object one : added) {
                if (one instanceof Section section) {
                    found.add(section);
                }
            }
        }
        return found;
    }

    /**
     * A file of the frame, or of a section.
     *
     * @param owner a class of the section; its resources are searched first
     * @param name for example {@code frame.js}
     * @return null if there is no such file
     */
    public static @Nullable File file(Class<?> owner, String name) {
        if (!FILE.matcher(name).matches()) {
            return null;
        }
        byte[] bytes = bytes(owner, STATIC + name);
        if (bytes == null) {
            bytes = bytes(ConsoleFrame.class, STATIC + name);
        }
        String type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "application/octet-stream");
        return bytes == null ? null : new File(type, bytes);
    }

    /**
     * The document of a section.
     *
     * @param owner a class of the section, which has {@code NAME.html} (the content) beside it, and {@code NAME.css}
     *     and {@code NAME.js} in {@code static}
     * @param name of these files
     * @param current the section
     * @param added the added sections, of which the current one may be one
     * @param tables HTML for {@code @TABLES@} in the content, for browsers without JavaScript
     */
    public static byte[] page(
            Class<?> owner, String name, Section current, List<Section> added, @Nullable String tables) {
        List<Section> all = new ArrayList<>();
        all.add(SCHEDULER);
        all.add(USAGE);
        all.addAll(added);
        all.add(RESOURCE_MANAGER);
        StringBuilder links = new StringBuilder();
        for (Section section : all) {
            links.append("<a href=\"").append(section.path()).append('"');
            links.append(section.path().equals(current.path()) ? " aria-current=\"page\">" : ">");
            links.append(escaped(section.name())).append("</a>\n");
        }
        return text(ConsoleFrame.class, "frame.html")
                .replace("@TITLE@", escaped(current.name()))
                .replace("@NAME@", name)
                .replace("@SECTIONS@", links)
                .replace("@CONTENT@", text(owner, name + ".html"))
                .replace("@TABLES@", tables == null ? "" : tables)
                .getBytes(StandardCharsets.UTF_8);
    }

    /** The scheduler's own section. */
    static Section scheduler() {
        return SCHEDULER;
    }

    /** The section of the accounting. */
    static Section usage() {
        return USAGE;
    }

    /** Text for HTML, in content and in quoted attributes. */
    public static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** A resource of a class as text. @throws IllegalStateException if the jar has no such resource */
    public static String text(Class<?> owner, String name) {
        byte[] bytes = bytes(owner, name);
        if (bytes == null) {
            throw new IllegalStateException(name + " is missing from the jar; build the jar again");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte @Nullable [] bytes(Class<?> owner, String name) {
        try (InputStream in = owner.getResourceAsStream(name)) {
            return in == null ? null : in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(name + " cannot be read from the jar", e);
        }
    }
}
