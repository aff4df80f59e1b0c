// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.gang;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Collects slots until there are enough for all members of a gang. A gang that is not whole after some time gives up
 * all its slots and rests for a random time, so that of two gangs which hold a part of the cluster each, one gets the
 * rest.
 *
 * <pre>
 *   take, take, ... ──► arrived, arrived, ... ──► isWhole
 *        │ not whole after the hold time
 *        ▼
 *   giveUp ──► rest ──► take ...
 * </pre>
 *
 * <p>Knows no clock; times are in ms. Not thread safe.
 */
public final class Gang {
    /** A rest is between a half and this many hold times. */
    private static final double LONGEST_REST = 1.5;

    private final int slots;
    private final long holdMillis;
    private final RandomGenerator random;
    private final Map<String, Seat> seats = new LinkedHashMap<>();
    private long since;
    private long restsUntil = Long.MIN_VALUE;
    private int attempts;

    /**
     * Slots that one task of the gang holds.
     *
     * @param host of the task's node
     * @param arrived whether the task runs and waits for the others
     */
    public record Seat(String task, String host, int slots, boolean arrived) {}

    public Gang(int slots, long holdMillis, RandomGenerator random) {
        this.slots = slots;
        this.holdMillis = holdMillis;
        this.random = random;
    }

    /** Slots that no task holds yet. */
    public int missing() {
        return slots - seats.values().stream().mapToInt(Seat::slots).sum();
    }

    /** How many slots of an offer to take: 0 while the gang rests or nothing is missing. */
    public int wanted(int possible, long now) {
        return rests(now) ? 0 : Math.min(possible, missing());
    }

    /** Whether the gang rests after it gave up. */
    public boolean rests(long now) {
        return now < restsUntil;
    }

    /** A task that holds this many slots is being launched. */
    public void take(String task, String host, int count, long now) {
        if (count < 1 || count > missing()) {
            throw new IllegalArgumentException(count + " slots for " + task + ": " + missing() + " are missing");
        }
        if (seats.isEmpty()) {
            since = now;
        }
        seats.put(task, new Seat(task, host, count, false));
    }

    /** The task runs and waits for the others. */
    public void arrived(String task) {
        seats.computeIfPresent(task, (id, seat) -> new Seat(id, seat.host(), seat.slots(), true));
    }

    /** The task has ended. */
    public void lost(String task) {
        seats.remove(task);
    }

    /** Whether all members can start. */
    public boolean isWhole() {
        return missing() == 0 && seats.values().stream().allMatch(Seat::arrived);
    }

    /** Whether the gang has held a part for too long. */
    public boolean isLate(long now) {
        return !seats.isEmpty() && !isWhole() && now - since >= holdMillis;
    }

    /** Gives up all slots and begins a rest; returns the tasks to kill. */
    public List<String> giveUp(long now) {
        List<String> tasks = List.copyOf(seats.keySet());
        seats.clear();
        attempts++;
        restsUntil = now + (long) (holdMillis * random.nextDouble(0.5, LONGEST_REST));
        return tasks;
    }

    /** How often the gang gave up. */
    public int attempts() {
        return attempts;
    }

    /** In the order in which they were taken. */
    public List<Seat> seats() {
        return new ArrayList<>(seats.values());
    }
}
