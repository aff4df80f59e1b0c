// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.io;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Errors of the parsers in our words: their own messages name their settings and classes. */
final class SyntaxErrors {
    private static final String INCOMPLETE = "the text ends before the document does; is the file complete?";
    /**
     * Where the YAML parser found the error; its last mark is the place itself, earlier ones are where the part began.
     */
    private static final Pattern MARK = Pattern.compile("in 'reader', line (\\d+), column (\\d+)");

    /** A part of a parser's message, and our sentence for it; $1 is the group of the pattern. */
    private static final Map<Pattern, String> REASONS = reasons(
            "^Non-standard token|^Malformed numeric value '[-+]?\\.(?:nan|NaN|NAN|inf|Inf|INF)'",
            "NaN and Infinity are not allowed; give a finite number",
            "^Duplicate field ('.*?')",
            "the name occurs twice: $1",
            "Leading zeroes",
            "a number must not start with 0",
            "Decimal point not followed|Exponent indicator not followed",
            "a number has no digit after its point or exponent",
            "plus signs",
            "a number must not start with +",
            "^Unexpected end-of-input|<stream end>|unexpected end of stream",
            INCOMPLETE,
            "^Unexpected close marker '(.)'",
            "unexpected $1",
            "comment",
            "JSON has no comments; remove them, or write YAML, whose comments start with #",
            "hex-digit",
            "\\u must be followed by four hexadecimal digits",
            "^Unexpected character \\((.*?) \\(code.*double-quote to start field name",
            "unexpected character $1 where a name in double quotes should be",
            "^Unexpected character \\((.*?) \\(code.*expecting comma",
            "unexpected character $1 where a comma should be",
            "^Unexpected character \\((.*?) \\(code.*expecting a colon",
            "unexpected character $1 where a colon should be",
            "^Unexpected character \\((.*?) \\(code",
            "unexpected character $1",
            "^Unrecognized token '(.*?)'",
            "\"$1\" is not a value; a text needs double quotes",
            "^Unrecognized character escape|unknown escape character",
            "a text has an unknown escape after \\",
            "^Illegal unquoted character",
            "a text has a line break or control character; write it as an escape, for example \\n",
            "^Illegal character|special characters are not allowed",
            "the file contains a control character; is it a text file?",
            "^Trailing token",
            "there is more text after the end of the document",
            "^Document nesting depth",
            "it is nested too deeply",
            "length \\(\\d+\\) exceeds",
            "a number or text is too long",
            "^Malformed numeric value '(.*?)'",
            "$1 is not a number",
            "^Expected a field name",
            "a name must be a text, not a list or an object",
            "TAB",
            "YAML is indented with spaces, not with tabs",
            "mapping values are not allowed here",
            "unexpected colon; a text with a colon needs quotes",
            "found character '(.)' that cannot start",
            "a value must not start with $1; put the text in quotes",
            "but found '?<block (?:mapping|sequence) start>|but found '?<block end>",
            "the indentation does not fit the lines above",
            "but found '?<alias>",
            "unexpected alias; write the value itself",
            "but (?:found|got) '?(.*?)'?(?: +in 'reader'|\\n|$)",
            "unexpected $1");

    private SyntaxErrors() {}

    /** The cause of an error, after the place where it was found if that is known. */
    static String sentence(JsonProcessingException e) {
        return place(e) + ": " + reason(e);
    }

    private static String place(JsonProcessingException e) {
        String line = "";
        String column = "";
        JsonLocation location = e.getLocation();
        if (location != null && location.getLineNr() > 0) {
            line = String.valueOf(location.getLineNr());
            column = String.valueOf(location.getColumnNr());
        }
        for (Matcher mark = MARK.matcher(String.valueOf(e.getOriginalMessage())); mark.find(); ) {
            line = mark.group(1);
            column = mark.group(2);
        }
        return line.isEmpty() ? "" : " (line " + line + ", column " + column + ")";
    }

    private static String reason(JsonProcessingException e) {
        if (e instanceof JsonEOFException) {
            return INCOMPLETE;
        }
        String message = String.valueOf(e.getOriginalMessage());
        for (Map.Entry<Pattern, String> known : REASONS.entrySet()) {
            Matcher matcher = known.getKey().matcher(message);
            if (matcher.find()) {
                String words = known.getValue();
                return matcher.groupCount() == 0 ? words : words.replace("$1", matcher.group(1));
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
