// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A script from one seed, tree and all. An event names what it is about by number and does nothing where that is not
 * there, so that any part of a script is a script: a failure is shrunk by dropping events while it still fails.
 */
record Scenario(long seed, List<Event> events) {
    private static final int NUMBERS = 100;

    /**
     * What happens. {@code who}, {@code what} and {@code amount} are any numbers; {@link EngineModel} takes them
     * modulo.
     */
    record Event(Kind kind, int who, int what, int amount) {
        @Override
        public String toString() {
            return kind + "(" + who + ", " + what + ", " + amount + ")";
        }
    }

    /** How often an event happens, relative to the others. */
    public enum Kind {
        ADD_NODE(2),
        REMOVE_NODE(1),
        RESIZE_NODE(2),
        ADD_GROUP(4),
        REMOVE_GROUP(2),
        ADD_APP(9),
        REMOVE_APP(3),
        ASK(20),
        WITHDRAW(5),
        OFFER(25),
        OFFER_TO_THE_RELUCTANT(10),
        OFFER_TO_THE_FAILING(2),
        END(20),
        GRANT(3),
        MOVE(2),
        HOLD(3),
        RESIZE_CONTAINER(3),
        WEIGHT(3),
        PRIORITY(2),
        LIMIT(4),
        ORDER(1),
        TRY(8);

        private final int frequency;

        Kind(int frequency) {
            this.frequency = frequency;
        }
    }

    /** A script of so many events, after a few that build a first cluster. */
    static Scenario generate(long seed, int length) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            events.add(event(Kind.ADD_NODE, random));
        }
        for (int i = 0; i < 5; i++) {
            events.add(event(Kind.ADD_GROUP, random));
        }
        for (int i = 0; i < 12; i++) {
            events.add(event(Kind.ADD_APP, random));
        }
        while (events.size() < length) {
            events.add(event(draw(random), random));
        }
        return new Scenario(seed, List.copyOf(events));
    }

    private static Event event(Kind kind, SplittableRandom random) {
        return new Event(kind, random.nextInt(NUMBERS), random.nextInt(NUMBERS), random.nextInt(NUMBERS));
    }

    private static Kind draw(SplittableRandom random) {
        int total = 0;
        for (Kind kind : Kind.values()) {
            total += kind.frequency;
        }
        int left = random.nextInt(total);
        for (Kind kind : Kind.values()) {
            left -= kind.frequency;
            if (left < 0) {
                return kind;
            }
        }
        throw new IllegalStateException("frequencies do not add up to " + total);
    }

    /** Runs a law over a script for each seed; at the first failure shrinks the script and throws with it. */
    static void holdsFor(LongStream seeds, int length, Consumer<Scenario> law) {
        seeds.forEach(seed -> {
            Scenario scenario = generate(seed, length);
            if (failureOf(law, scenario) != null) {
                Scenario small = scenario.shrink(law);
                Throwable failure = failureOf(law, small);
                throw new AssertionError(
                        "seed " + seed + " breaks the law; " + small.events.size() + " of " + length
                                + " events are enough:\n" + small + "\n" + failure,
                        failure);
            }
        });
    }

    /** The same script without what the failure does not need: no single event can be dropped any more. */
    Scenario shrink(Consumer<Scenario> law) {
        List<Event> kept = new ArrayList<>(events);
        for (int chunk = Math.max(1, kept.size() / 2); chunk > 0; ) {
            boolean dropped = false;
            for (int from = kept.size() - chunk; from >= 0; from -= chunk) {
                List<Event> without = new ArrayList<>(kept.subList(0, from));
                without.addAll(kept.subList(from + chunk, kept.size()));
                if (failureOf(law, new Scenario(seed, without)) != null) {
                    kept = without;
                    dropped = true;
                    from = Math.min(from, kept.size());
                }
            }
            if (!dropped || kept.size() < chunk) {
                chunk /= 2;
            }
        }
        return new Scenario(seed, List.copyOf(kept));
    }

    private static @Nullable Throwable failureOf(Consumer<Scenario> law, Scenario scenario) {
        try {
            law.accept(scenario);
            return null;
        } catch (RuntimeException | AssertionError failure) {
            return failure;
        }
    }

    @Override
    public String toString() {
        return events.stream().map(Event::toString).collect(Collectors.joining("\n", "seed " + seed + ":\n", ""));
    }
}
