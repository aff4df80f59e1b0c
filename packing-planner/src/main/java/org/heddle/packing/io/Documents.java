// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.io;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
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
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Files as JSON trees. A file is YAML by its name, or if its first character cannot start a JSON document. */
final class Documents {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final ObjectMapper YAML = YAMLMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** The start of a parser's message, and our sentence for it; $1 is the group of the pattern. */
    private static final Map<Pattern, String> REASONS = reasons(
            "^Non-standard token",
            "NaN and Infinity are not numbers in JSON; give a finite number",
            "^Duplicate field ('.*?')",
            "the name occurs twice: $1",
            "Leading zeroes",
            "a number must not start with 0",
            "Decimal point not followed|Exponent indicator not followed",
            "a number has no digit after its point or exponent",
            "plus signs",
            "a number must not start with +",
            "^Unexpected character \\((.*?) \\(code.*double-quote to start field name",
            "unexpected character $1 where a name in double quotes should be",
            "^Unexpected character \\((.*?) \\(code",
            "unexpected character $1",
            "^Unrecognized token '(.*?)'",
            "\"$1\" is not a value; a text needs double quotes",
            "^Unrecognized character escape",
            "a text has an unknown escape after \\",
            "^Illegal unquoted character",
            "a text has a line break or control character; write it as an escape, for example \\n",
            "^Trailing token",
            "there is more text after the end of the document",
            "^Document nesting depth",
            "it is nested too deeply",
            "length \\(\\d+\\) exceeds",
            "a number or text is too long",
            "TAB",
            "YAML is indented with spaces, not with tabs",
            "mapping values are not allowed here",
            "unexpected colon; a text with a colon needs quotes",
            "<stream end>",
            "the text ends before the document does; is the file complete?",
            "but found '?(.*?)'?(?: +in 'reader'|\\n|$)",
            "unexpected $1");

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
        if (e instanceof JsonEOFException) {
            return "the text ends before the document does; is the file complete?";
        }
        String message = String.valueOf(e.getOriginalMessage());
        for (Map.Entry<Pattern, String> known : REASONS.entrySet()) {
            Matcher matcher = known.getKey().matcher(message);
            if (matcher.find()) {
                return matcher.groupCount() == 0
                        ? known.getValue()
                        : known.getValue().replace("$1", matcher.group(1));
            }
        }
        return "it cannot be parsed";
    }

    private static Map<Pattern, String> reasons(String... patternsAndTexts) {
        Map<Pattern, String> reasons = new LinkedHashMap<>();
        for (int i = 0; i < patternsAndTexts.length; i += 2) {
            reasons.put(Pattern.compile(patternsAndTexts[i]), patternsAndTexts[i + 1]);
        }
        return Collections.unmodifiableMap(reasons);
    }
}
