// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.io;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Files as JSON trees. A file is YAML by its name, or if its first character cannot start a JSON document. */
final class Documents {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final ObjectMapper YAML = YAMLMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final String STANDARD_TAG = "tag:yaml.org,2002:";
    private static final Set<String> TAGS = Set.of("str", "int", "float", "bool", "null", "map", "seq");

    private Documents() {}

    static ObjectMapper json() {
        return JSON;
    }

    /** Reads a file, or standard input if the path is "-". */
    static JsonNode read(Path file, InputStream standardInput) {
        return parse(file.toString(), TextFile.read(file, standardInput));
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
            if (!json) {
                requirePlain(name, text);
            }
            return tree;
        } catch (JsonProcessingException e) {
            throw new InvalidInputException(
                    name, List.of("is not valid " + (json ? "JSON" : "YAML") + SyntaxErrors.sentence(e)));
        }
    }

    /** The tree holds the name of an alias where its value should be, and a text for a value with a tag of others. */
    private static void requirePlain(String name, String text) throws JsonProcessingException {
        try (JsonParser parser = YAML.getFactory().createParser(text)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                String tag = parser.getTypeId() instanceof String type ? type.replace(STANDARD_TAG, "") : "str";
                boolean alias = parser instanceof YAMLParser yaml && yaml.isCurrentAlias();
                String line = "line " + parser.currentTokenLocation().getLineNr() + ": ";
                if (alias) {
                    String what = "the alias *" + parser.getText();
                    throw new InvalidInputException(
                            name, List.of(line + what + ": aliases are not supported; write the value itself"));
                }
                if (!TAGS.contains(tag)) {
                    throw new InvalidInputException(
                            name, List.of(line + "the tag " + tag + " is not supported; write a plain value"));
                }
            }
        } catch (JsonProcessingException e) {
            throw e;
        } catch (IOException e) {
            throw new InvalidInputException(name, List.of("cannot be read: " + e.getMessage()));
        }
    }
}
