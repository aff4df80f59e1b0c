// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One change of the state: its journal records, and its effects outside of the state, which happen after the records
 * are written. Changes and their effects happen in the same order.
 */
public final class StateChange {
    private final long now;
    private final long date;
    private final Map<String, byte @Nullable []> records = new LinkedHashMap<>();
    private final List<Runnable> effects = new ArrayList<>();
    private boolean durable;

    /**
     * @param now by the monotonic clock, in milliseconds
     * @param date milliseconds since 1970
     */
    public StateChange(long now, long date) {
        this.now = now;
        this.date = date;
    }

    /** By the monotonic clock, in milliseconds: for everything that waits or expires. */
    public long now() {
        return now;
    }

    /** Milliseconds since 1970, for messages and records; it may step. */
    public long date() {
        return date;
    }

    /** The date of a moment of the monotonic clock, for messages: milliseconds since 1970. */
    public long dateOf(long moment) {
        return date + (moment - now);
    }

    /** Writes a record before the effects happen. */
    public void put(String name, byte[] record) {
        records.put(name, record);
        durable = true;
    }

    /**
     * Writes a record with the next group commit, without delaying the effects: for records that agents would report
     * again.
     */
    public void putSoon(String name, byte[] record) {
        records.put(name, record);
    }

    public void remove(String name) {
        records.put(name, null);
        durable = true;
    }

    /** Adds an effect, which happens after the records of this change are written. */
    public void after(Runnable effect) {
        effects.add(effect);
    }

    boolean isEmpty() {
        return records.isEmpty() && effects.isEmpty();
    }

    Map<String, byte @Nullable []> records() {
        return records;
    }

    List<Runnable> effects() {
        return effects;
    }

    boolean durable() {
        return durable;
    }
}
