// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.schema;

import java.util.List;
import org.heddle.settings.ValueKind;
import org.jspecify.annotations.Nullable;

/**
 * The format of one element. {@link ConfigSchema} has all of them; the reader checks files against them, and the
 * documentation is generated from them.
 *
 * @param name the element's name
 * @param repeats whether its parent may contain it more than once
 * @param attributes all attributes that it may have
 * @param text the valid values of its text; null if it has none
 * @param fallback the default, in words; empty if there is none
 * @param doc one or two sentences
 */
public record ElementSchema(
        String name,
        boolean repeats,
        List<Attribute> attributes,
        @Nullable String text,
        String fallback,
        String doc) {
    static final Attribute RESOURCE_NAME =
            required("name", "A resource type of the cluster: memory-mb, vcores, yarn.io/gpu ...");

    /**
     * One attribute.
     *
     * @param name the attribute's name
     * @param required whether it must be present
     * @param doc one sentence
     */
    public record Attribute(String name, boolean required, String doc) {}

    /**
     * An element that occurs at most once and has one value.
     *
     * @param element the element itself
     * @param kind of its text
     * @param fallback the default
     */
    public record Valued<T>(ElementSchema element, ValueKind<T> kind, T fallback) {}

    public static ElementSchema container(String name, String fallback, String doc, Attribute... attributes) {
        return new ElementSchema(name, false, List.of(attributes), null, fallback, doc);
    }

    public static ElementSchema repeated(String name, @Nullable String text, String doc, Attribute... attributes) {
        return new ElementSchema(name, true, List.of(attributes), text, "", doc);
    }

    /**
     * A row {@code <resource name="memory-mb">}, of which there may be two for one type: an amount and a percentage.
     *
     * @param whole what a percentage is of, and an example: {@code cluster such as 50%}
     * @param what is limited or promised, as the beginning of a sentence
     */
    public static ElementSchema amount(String whole, String what) {
        return repeated(
                "resource",
                "a whole number in the resource's own unit (memory-mb: MiB), a size such as 4 GiB, or a percentage of the "
                        + whole,
                what + "; if an amount and a percentage are given, the smaller one counts.",
                RESOURCE_NAME);
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
