// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.heddle.settings.ValueKind;
import org.jspecify.annotations.Nullable;

/**
 * One setting of a queue. The reader, the writer and the editor of {@code heddle-scheduler.xml}, the reference, the
 * summary of {@code heddle check}, {@code heddle convert} and shadow mode follow from it. {@link QueueSettings} has all
 * of them.
 *
 * @param <T> its value, immutable
 */
public final class QueueSetting<T> {
    /** How the value is written in {@code heddle-scheduler.xml}. */
    public enum Form {
        /** As the text of an element. */
        TEXT,
        /** As the text of an element, which names a share order. */
        ORDER,
        /** As an element with one element for each resource. */
        AMOUNTS,
        /** As an element with the attributes {@code users} and {@code groups}. */
        PEOPLE,
        /** As elements that only this setting has. */
        OWN
    }

    /** Where it counts. */
    public enum Trait {
        /** In leaf queues only. */
        LEAF_ONLY,
        /** Also in the queues inside, unless they set it. */
        INHERITED,
        /** Also where queues are created for applications. */
        FOR_NEW_QUEUES
    }

    private final String name;
    private final Form form;
    private final @Nullable ValueKind<T> kind;
    private final T fallback;
    private final String absent;
    private final String doc;
    private Function<T, String> text = Words::text;
    private Function<T, String> words = value -> "";
    private UnaryOperator<T> kept = value -> value;
    private UnaryOperator<T> inShadow = value -> value;
    private String subject;
    private String fair = "";
    private Set<Trait> traits = Set.of();
    private @Nullable QueueSetting<T> limit;

    QueueSetting(String name, Form form, @Nullable ValueKind<T> kind, T fallback, String absent, String doc) {
        this.name = name;
        this.form = form;
        this.kind = kind;
        this.fallback = fallback;
        this.absent = absent;
        this.doc = doc;
        this.subject = name;
    }

    // ---- definition, in QueueSettings only ----

    /** @param newText the value as a file has it; {@link #kind} reads it again */
    QueueSetting<T> text(Function<T, String> newText) {
        text = newText;
        return this;
    }

    /** @param newKept the value as a queue keeps it, immutable */
    QueueSetting<T> kept(UnaryOperator<T> newKept) {
        kept = newKept;
        return this;
    }

    /** @param newWords the value for people; empty if there is nothing to say */
    QueueSetting<T> words(Function<T, String> newWords) {
        words = newWords;
        return this;
    }

    /** @param newSubject what the summary calls it; empty if the summary has it in another sentence */
    QueueSetting<T> subject(String newSubject) {
        subject = newSubject;
        return this;
    }

    /** @param element the element of {@code fair-scheduler.xml} that sets the same */
    QueueSetting<T> fair(String element) {
        fair = element;
        return this;
    }

    QueueSetting<T> with(Trait... newTraits) {
        traits = Set.of(newTraits);
        return this;
    }

    /** It may not be larger than that setting of the queue. */
    QueueSetting<T> within(QueueSetting<T> other) {
        limit = other;
        return this;
    }

    /** It may not be larger than in the queues above. */
    QueueSetting<T> withinAbove() {
        return within(this);
    }

    QueueSetting<T> inShadow(UnaryOperator<T> newInShadow) {
        inShadow = newInShadow;
        return this;
    }

    // ---- use ----

    /** Its element in {@code heddle-scheduler.xml}. */
    public String name() {
        return name;
    }

    public Form form() {
        return form;
    }

    /** The kind of its text. */
    public ValueKind<T> kind() {
        return Objects.requireNonNull(kind, name);
    }

    /** The default. */
    public T fallback() {
        return fallback;
    }

    /** The default in words. */
    public String absent() {
        return absent;
    }

    /** One or two sentences. */
    public String doc() {
        return doc;
    }

    /** Its value as the text of an element. */
    public String text(T value) {
        return text.apply(value);
    }

    /** Its value for people; empty if there is nothing to say. */
    public String words(T value) {
        return words.apply(value);
    }

    /** What the summary calls it; empty if the summary has it in another sentence. */
    public String subject() {
        return subject;
    }

    /** The element of {@code fair-scheduler.xml} that sets the same; empty if there is none. */
    public String fair() {
        return fair;
    }

    /** Whether it has a trait. */
    public boolean is(Trait trait) {
        return traits.contains(trait);
    }

    /**
     * The setting of the queue that it may not exceed; this one if it is that of the queues above; null if there is
     * none.
     */
    public @Nullable QueueSetting<T> limit() {
        return limit;
    }

    /** The value while the specification is only tried. */
    public T inShadow(T value) {
        return inShadow.apply(value);
    }

    /** The smaller of two values; of amounts, by resource. */
    @SuppressWarnings("unchecked") // only numbers and amounts have limits
    public T smaller(T one, T other) {
        if (one instanceof Amounts amounts) {
            return (T) amounts.smaller((Amounts) other);
        }
        return ((Comparable<T>) one).compareTo(other) <= 0 ? one : other;
    }

    /** This setting as one of another type, which its values have. */
    @SuppressWarnings("unchecked") // checked by the default
    public <U> QueueSetting<U> as(Class<U> type) {
        if (!type.isInstance(fallback)) {
            throw new ClassCastException(name);
        }
        return (QueueSetting<U>) this;
    }

    /** The value as a queue keeps it. */
    T kept(T value) {
        return kept.apply(value);
    }

    /** Its value among others, or the default. */
    @SuppressWarnings("unchecked") // QueueSpec puts only values of its type under it
    T in(Map<QueueSetting<?>, Object> values) {
        Object value = values.get(this);
        return value == null ? fallback : (T) value;
    }

    @Override
    public String toString() {
        return name;
    }
}
