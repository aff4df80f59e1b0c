// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.io;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamReadException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Files as JSON trees. A file is YAML by its name, or if its first character cannot start a JSON document. */
final class Documents {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final ObjectMapper YAML = YAMLMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private Documents() {}

    static ObjectMapper json() {
        return JSON;
    }

    /** Reads a file, or standard input if the path is "-". */
    static JsonNode read(Path file, InputStream standardInput) {
        String name = file.toString();
        try {
            String text = name.equals("-")
                    ? new String(standardInput.readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(file);
            return parse(name, text);
        } catch (NoSuchFileException e) {
            throw new InvalidInputException(name, List.of("no such file"));
        } catch (IOException e) {
            throw new InvalidInputException(name, List.of("cannot be read: " + e.getMessage()));
        }
    }

    static JsonNode parse(String name, String text) {
        String start = text.stripLeading();
        boolean json =
                !name.endsWith(".yaml") && !name.endsWith(".yml") && (start.startsWith("{") || start.startsWith("["));
        try {
            JsonNode tree = (json ? JSON : YAML).readTree(text);
            if (tree == null || tree.isMissingNode()) {
                throw new InvalidInputException(name, List.of("is empty"));
            }
            return tree;
        } catch (JsonProcessingException e) {
            String where = e.getLocation() == null
                    ? ""
                    : " (line " + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr() + ")";
            throw new InvalidInputException(
                    name, List.of("is not valid " + (json ? "JSON" : "YAML") + where + ": " + reason(e)));
        }
    }

    /** The cause in our words: the parser's own messages name its settings and classes. */
    private static String reason(JsonProcessingException e) {
        String message = String.valueOf(e.getOriginalMessage());
        if (e instanceof JsonEOFException) {
            return "the text ends before the document does; is the file complete?";
        }
        if (message.contains("Non-standard token")) {
            return "NaN and Infinity are not numbers in JSON; give a finite number";
        }
        if (message.startsWith("Duplicate field")) {
            return message.lines().findFirst().orElse(message).replace("Duplicate field", "the name occurs twice:");
        }
        if (e instanceof StreamReadException && message.startsWith("Unexpected character")) {
            return message.replaceAll("(?s)^Unexpected character \\((.*?)\\).*", "unexpected character $1");
        }
        return "it cannot be parsed";
    }
}
