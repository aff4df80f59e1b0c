// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.web;

import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.settings.Sentences;

/** What a web server answered. */
public final class WebAnswer {
    /** Hadoop's RemoteException, the market's errors, and what others write: a text field of this name. */
    private static final Pattern MESSAGE =
            Pattern.compile("\"message\"\\s*:\\s*\"((?:[^\"\\\\]|\\\\.)+)\"|<message>([^<]+)</message>");

    private static final int LONGEST = 500;

    private final URI uri;
    private final int status;
    private final String type;
    private final String body;
    private final long date;

    WebAnswer(URI uri, int status, String type, String body, long date) {
        this.uri = uri;
        this.status = status;
        this.type = type;
        this.body = body;
        this.date = date;
    }

    /** Where the answer came from, behind a standby's redirections. */
    public URI uri() {
        return uri;
    }

    /** Of HTTP. */
    public int status() {
        return status;
    }

    /** The media type of the body, without parameters, in small letters; empty if the server does not say it. */
    public String type() {
        return type;
    }

    public String body() {
        return body;
    }

    /** The server's time, ms since 1970; 0 if it does not say it. */
    public long date() {
        return date;
    }

    public boolean isOk() {
        return status / 100 == 2;
    }

    /** Whether the server wants to know who asks. */
    public boolean wantsLogin() {
        return status == 401 || status == 403;
    }

    /** The server's own sentence without JSON, HTML and Java's classes; empty if it has none. */
    public String sentence() {
        String text = body.strip();
        if (text.startsWith("{") || text.startsWith("<")) {
            Matcher message = MESSAGE.matcher(text);
            text = "";
            if (message.find()) {
                text = message.group(1) == null ? message.group(2) : unescaped(message.group(1));
            }
        }
        String plain = Sentences.plain(text).replaceAll("\\s+", " ");
        return plain.length() > LONGEST ? plain.substring(0, LONGEST) + " ..." : plain;
    }

    private static String unescaped(String json) {
        return json.replace("\\n", "\n").replace("\\t", "\t").replaceAll("\\\\(.)", "$1");
    }
}
