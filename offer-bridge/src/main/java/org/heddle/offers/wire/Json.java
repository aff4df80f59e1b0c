// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * JSON documents of the bridge's own pages. They are written field by field while the state is held still: its objects
 * change, so a mapper would need a copy of each, which names every field twice more.
 */
public final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();

    /** Writes a part of a document. */
    @FunctionalInterface
    public interface Part {
        void write(JsonGenerator out) throws IOException;
    }

    private Json() {}

    /** A document that is an object with those fields. */
    public static byte[] object(Part fields) {
        return bytes(out -> {
            out.writeStartObject();
            fields.write(out);
            out.writeEndObject();
        });
    }

    /** A document that is an array of those elements. */
    public static byte[] array(Part elements) {
        return bytes(out -> {
            out.writeStartArray();
            elements.write(out);
            out.writeEndArray();
        });
    }

    private static byte[] bytes(Part document) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(4096);
        try (JsonGenerator out = FACTORY.createGenerator(bytes)) {
            document.write(out);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write a document to memory", e);
        }
        return bytes.toByteArray();
    }
}
