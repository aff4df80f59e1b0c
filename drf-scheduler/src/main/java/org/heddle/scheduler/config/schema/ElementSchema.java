// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.schema;

import java.util.List;
import org.heddle.settings.ValueKind;
import org.jspecify.annotations.Nullable;

/**
 * What the format says about one element. {@link ConfigSchema} has them all; the reader checks against them and the
 * documentation is printed from them.
 *
 * @param name the element's name
 * @param repeats may stand more than once beside itself
 * @param attributes all that it may carry
 * @param text what its text must be; null if it has none
 * @param fallback what holds when it is absent, in words; empty if nothing does
 * @param doc one or two sentences
 */
public record ElementSchema(
        String name,
        boolean repeats,
        List<Attribute> attributes,
        @Nullable String text,
        String fallback,
        String doc) {

    /**
     * One attribute.
     *
     * @param name the attribute's name
     * @param required must be there
     * @param doc one sentence
     */
    public record Attribute(String name, boolean required, String doc) {}

    /**
     * An element that stands at most once and holds one value.
     *
     * @param element the element itself
     * @param kind of its text
     * @param fallback what holds when it is absent
     */
    public record Valued<T>(ElementSchema element, ValueKind<T> kind, T fallback) {}

    public static ElementSchema container(String name, String fallback, String doc, Attribute... attributes) {
        return new ElementSchema(name, false, List.of(attributes), null, fallback, doc);
    }

    public static ElementSchema repeated(String name, @Nullable String text, String doc, Attribute... attributes) {
        return new ElementSchema(name, true, List.of(attributes), text, "", doc);
    }

    public static <T> Valued<T> valued(String name, ValueKind<T> kind, T fallback, String fallbackText, String doc) {
        return new Valued<>(new ElementSchema(name, false, List.of(), kind.what(), fallbackText, doc), kind, fallback);
    }

    public static Attribute required(String name, String doc) {
        return new Attribute(name, true, doc);
    }

    public static Attribute optional(String name, String doc) {
        return new Attribute(name, false, doc);
    }
}
