// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.chart;

import java.util.Locale;

/** The text of an SVG picture on white ground, with the few shapes of the charts here. It needs no other file. */
final class Svg {
    private final StringBuilder text = new StringBuilder();

    /** @param title what browsers show and read aloud for the whole picture */
    Svg(int width, double height, String title) {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" width=\"%d\" height=\"%.0f\""
                        + " font-family=\"sans-serif\" font-size=\"12\" role=\"img\">",
                width, height, width, height);
        add("<title>%s</title>", escape(title));
        rectangle(0, 0, width, height, "fill=\"#ffffff\"");
    }

    /** An element for which there is no method. */
    void add(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    /** @param style more attributes, such as {@code stroke="#888888"} */
    void line(double x1, double y1, double x2, double y2, String style) {
        add("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>", x1, y1, x2, y2, style);
    }

    /** @param style more attributes, such as {@code fill="#888888"} */
    void rectangle(double x, double y, double width, double height, String style) {
        add("<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" %s/>", x, y, width, height, style);
    }

    /** @param anchor start, middle or end: the part of the text that is at x */
    void text(double x, double y, String anchor, int size, String words) {
        add(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\" fill=\"#111111\">%s</text>",
                x, y, anchor, size, escape(words));
    }

    void heading(double x, double y, int size, String words) {
        add(
                "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" font-weight=\"bold\" fill=\"#111111\">%s</text>",
                x, y, size, escape(words));
    }

    /** The whole picture; nothing can be added afterwards. */
    String finished() {
        return text.append("</svg>\n").toString();
    }

    static String escape(String words) {
        return words.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
