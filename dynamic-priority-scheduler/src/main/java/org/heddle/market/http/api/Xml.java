// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.api;

/** XML elements of the responses. */
public final class Xml {
    public static final String HEAD = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

    private Xml() {}

    /** Escapes element content and quoted attributes. Characters that XML 1.0 does not allow become question marks. */
    public static String escape(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&apos;");
                default -> {
                    if (isAllowed(c)) {
                        out.appendCodePoint(c);
                    } else {
                        out.append('?');
                    }
                }
            }
        });
        return out.toString();
    }

    private static boolean isAllowed(int c) {
        return c == '\t'
                || c == '\n'
                || c == '\r'
                || (c >= 0x20 && c <= 0xd7ff)
                || (c >= 0xe000 && c <= 0xfffd)
                || c >= 0x10000;
    }

    public static String element(String name, Object content) {
        return "<" + name + ">" + escape(String.valueOf(content)) + "</" + name + ">\n";
    }
}
