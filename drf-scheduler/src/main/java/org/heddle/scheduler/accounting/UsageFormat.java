// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.accounting;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The file of one hour: lines of JSON. The first line has the version and the times, each further line is one {@link
 * UsageRow}. Fields that this release does not know are skipped; another version is refused.
 */
public final class UsageFormat {
    private static final int VERSION = 1;
    private static final JsonFactory FACTORY = new JsonFactory();

    private UsageFormat() {}

    /** The text of a file. */
    public static String text(HourlyUsage hour) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.setPrettyPrinter(new MinimalPrettyPrinter("\n"));
            json.writeStartObject();
            json.writeNumberField("version", VERSION);
            json.writeNumberField("startMillis", hour.startMillis());
            json.writeNumberField("accountedUntilMillis", hour.accountedUntilMillis());
            json.writeEndObject();
            for (UsageRow row : hour.rows()) {
                json.writeStartObject();
                json.writeStringField("queue", row.queue());
                json.writeStringField("user", row.user());
                json.writeStringField("application", row.application());
                json.writeStringField("name", row.name());
                json.writeStringField("type", row.type());
                json.writeNumberField("containers", row.containers());
                json.writeNumberField("preempted", row.preempted());
                json.writeObjectFieldStart("resourceMillis");
                for (Map.Entry<String, Long> amount : row.resourceMillis().entrySet()) {
                    json.writeNumberField(amount.getKey(), amount.getValue());
                }
                json.writeEndObject();
                json.writeEndObject();
            }
        } catch (IOException e) {
            throw new IllegalStateException("a string cannot be written to", e);
        }
        return text.append('\n').toString();
    }

    /**
     * Reads a file.
     *
     * @param file its name, for messages
     * @throws IOException one sentence that names the file
     */
    public static HourlyUsage parse(String file, String text) throws IOException {
        try (JsonParser json = FACTORY.createParser(text)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException(file + " is not a usage file; delete it");
            }
            Fields head = Fields.read(json);
            if (head.number("version") != VERSION) {
                throw new IOException(file + " has version " + head.number("version") + "; this release reads version "
                        + VERSION + ", so use the release that wrote it");
            }
            List<UsageRow> rows = new ArrayList<>();
            while (json.nextToken() == JsonToken.START_OBJECT) {
                Fields row = Fields.read(json);
                rows.add(new UsageRow(
                        row.text("queue"),
                        row.text("user"),
                        row.text("application"),
                        row.text("name"),
                        row.text("type"),
                        row.members,
                        row.number("containers"),
                        row.number("preempted")));
            }
            return new HourlyUsage(head.number("startMillis"), head.number("accountedUntilMillis"), rows);
        } catch (JsonProcessingException e) {
            throw new IOException(
                    file + " is damaged at line " + e.getLocation().getLineNr() + "; delete it, or mend that line", e);
        }
    }

    /** The texts and numbers of one object, and the members of the object in it. */
    private static final class Fields {
        private final Map<String, String> texts = new HashMap<>();
        private final Map<String, Long> numbers = new HashMap<>();
        private final Map<String, Long> members = new HashMap<>();

        /** Reads the object whose start is the current token. */
        static Fields read(JsonParser json) throws IOException {
            Fields fields = new Fields();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                switch (json.nextToken()) {
                    case VALUE_STRING -> fields.texts.put(name, json.getText());
                    case VALUE_NUMBER_INT -> fields.numbers.put(name, json.getLongValue());
                    case START_OBJECT -> {
                        if (name.equals("resourceMillis")) {
                            fields.members.putAll(read(json).numbers);
                        } else {
                            json.skipChildren();
                        }
                    }
                    default -> json.skipChildren();
                }
            }
            return fields;
        }

        String text(String name) {
            return texts.getOrDefault(name, "");
        }

        long number(String name) {
            return numbers.getOrDefault(name, 0L);
        }
    }
}
