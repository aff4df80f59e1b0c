// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.process;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The encoding of arguments, environment variables and file names, which Java takes from the locale that a process is
 * started with. Java writes a question mark for what the encoding does not have; this class refuses it.
 */
public final class LocaleEncoding {
    private static final int LONGEST_SHOWN = 60;

    /** That of this process. */
    public static final LocaleEncoding SYSTEM = new LocaleEncoding(
            Charset.forName(System.getProperty(
                    "sun.jnu.encoding", Charset.defaultCharset().name())),
            // Before Java 18 arguments and variables are written in this one. It differs where file.encoding is set.
            Charset.defaultCharset());

    private final Set<Charset> charsets = new LinkedHashSet<>();

    /** @param charsets text must be in all of them */
    LocaleEncoding(Charset... charsets) {
        Collections.addAll(this.charsets, charsets);
    }

    /**
     * Checks that the system gets a text as it is.
     *
     * @param what the text is, for the message
     * @throws IOException one sentence with the first character that the encoding does not have
     */
    public void check(String what, String text) throws IOException {
        for (Charset charset : charsets) {
            CharsetEncoder encoder = charset.newEncoder();
            OptionalInt missing = text.codePoints()
                    .filter(one -> !encoder.canEncode(Character.toString(one)))
                    .findFirst();
            if (missing.isPresent()) {
                throw new IOException(
                        what + " has the character " + String.format(Locale.ROOT, "U+%04X", missing.getAsInt())
                                + reason(missing.getAsInt(), charset));
            }
        }
    }

    private static String reason(int character, Charset charset) {
        if (Character.getType(character) == Character.SURROGATE) {
            return ", which is half of a pair and cannot be written";
        }
        return ", which " + charset.name()
                + " does not have, the encoding of this process: start it with a UTF-8 locale,"
                + " for example LC_ALL=C.UTF-8";
    }

    /**
     * A file below a directory.
     *
     * @throws IOException one sentence: no file can have that name here
     */
    public Path resolve(Path directory, String name) throws IOException {
        String what = "the file name " + shown(name);
        check(what, name);
        try {
            return directory.resolve(name);
        } catch (InvalidPathException e) {
            throw new IOException(what + " is not allowed: " + e.getReason(), e);
        }
    }

    /** The begin of a text in quotation marks, for messages. */
    static String shown(String text) {
        return "'" + (text.length() > LONGEST_SHOWN ? text.substring(0, LONGEST_SHOWN) + ".." : text) + "'";
    }
}
