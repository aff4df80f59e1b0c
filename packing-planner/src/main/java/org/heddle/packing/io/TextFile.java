// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.io;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Text files in UTF-8, with or without a byte order mark. What cannot be read or written is explained in our words. */
public final class TextFile {
    private TextFile() {}

    /** The text of a file, or of standard input if the path is "-". */
    public static String read(Path file, InputStream standardInput) {
        String name = file.toString();
        try {
            return decode(name, name.equals("-") ? standardInput.readAllBytes() : Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            throw new InvalidInputException(name, List.of("no such file"));
        } catch (IOException e) {
            throw new InvalidInputException(name, List.of("cannot be read: " + reason(file, e)));
        }
    }

    /** Why a file cannot be read or written. */
    public static String reason(Path file, IOException e) {
        Path directory = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file)) {
            return "it is a directory";
        }
        if (e instanceof AccessDeniedException) {
            return "no permission";
        }
        if (e instanceof NoSuchFileException && directory != null && !Files.isDirectory(directory)) {
            return "the directory " + directory + " does not exist";
        }
        return String.valueOf(e.getMessage());
    }

    static String decode(String name, byte[] bytes) {
        int first = bytes.length > 0 ? bytes[0] & 0xff : 0;
        int second = bytes.length > 1 ? bytes[1] & 0xff : 0;
        boolean mark = (first == 0xfe && second == 0xff) || (first == 0xff && second == 0xfe);
        if (mark || (bytes.length > 1 && (first == 0) != (second == 0))) {
            throw new InvalidInputException(name, List.of("is a text in UTF-16 or a binary file; save it as UTF-8"));
        }
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer input = ByteBuffer.wrap(bytes);
        try {
            String text = decoder.decode(input).toString();
            return text.startsWith("\ufeff") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new InvalidInputException(
                    name,
                    List.of("is not a text in UTF-8 (line " + line(bytes, input.position()) + ", byte "
                            + (input.position() + 1) + " of the file); save it as UTF-8"));
        }
    }

    private static int line(byte[] bytes, int position) {
        int line = 1;
        for (int i = 0; i < position; i++) {
            line += bytes[i] == '\n' ? 1 : 0;
        }
        return line;
    }
}
