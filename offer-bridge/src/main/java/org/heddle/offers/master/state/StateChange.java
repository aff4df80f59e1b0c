// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One turn of the single writer: what it is to remember, and what is to happen outside once that is safe. Effects of later
 * turns never overtake those of earlier ones.
 */
public final class StateChange {
    private final long now;
    private final Map<String, byte @Nullable []> records = new LinkedHashMap<>();
    private final List<Runnable> effects = new ArrayList<>();
    private boolean durable;

    public StateChange(long now) {
        this.now = now;
    }

    /** Milliseconds since 1970. */
    public long now() {
        return now;
    }

    /** Remembers before anything outside happens. */
    public void put(String name, byte[] record) {
        records.put(name, record);
        durable = true;
    }

    /** Remembers some time soon: for what can be learned again from agents. */
    public void putSoon(String name, byte[] record) {
        records.put(name, record);
    }

    public void remove(String name) {
        records.put(name, null);
        durable = true;
    }

    /** Does something outside once this turn's records are safe. */
    public void after(Runnable effect) {
        effects.add(effect);
    }

    Map<String, byte @Nullable []> records() {
        return records;
    }

    public List<Runnable> effects() {
        return effects;
    }

    boolean durable() {
        return durable;
    }
}
