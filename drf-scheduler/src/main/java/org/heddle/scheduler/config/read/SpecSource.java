// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.read;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.URL;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.FairKeys;
import org.heddle.scheduler.config.Problem;
import org.heddle.scheduler.config.SpecLocation;
import org.heddle.scheduler.config.SpecLocation.Stamp;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Has the last good specification and checks the file for a newer one. {@code this} guards the check (a timer and
 * {@code yarn rmadmin -refreshQueues} may run at the same time); any thread can read what is in force without waiting.
 *
 * <p>If the file is unreadable, half written, invalid or refused, the last good specification stays in force;
 * {@link #configuration()} has the reason until a check succeeds.
 */
public final class SpecSource {
    /** Source of a specification that came from no file. */
    public static final String BUILT_IN = "built-in defaults (no " + SpecLocation.DEFAULT_NAME + ", no "
            + FairKeys.DEFAULT_FILE + " and no " + SpecLocation.CAPACITY_NAME
            + " with queues of its own on the class path)";

    /**
     * The resolution of a file system's clock may be this coarse: a younger file may change while its time stamp does
     * not.
     */
    private static final long SETTLED_AFTER_MILLIS = 3_000;

    /** May refuse a valid specification, for example because it removes a queue in use. */
    @FunctionalInterface
    public interface Objection {
        Objection NONE = next -> null;

        /** One sentence with the way out, or null if {@code next} may come into force. */
        @Nullable
        String against(SchedulerSpec next);
    }

    /**
     * The result of one check.
     *
     * @param changed whether another specification is in force than before
     * @param newProblems errors of the file, if the previous check did not find the same; to be logged
     */
    public record Look(boolean changed, List<Problem> newProblems) {
        public Look {
            newProblems = List.copyOf(newProblems);
        }
    }

    private record State(SchedulerSpec spec, Configuration configuration) {}

    private final SpecLocation location;
    private final SpecReader reader;
    private volatile State state;

    /** Of the file in force, or of the one refused last; null if the next check must read the file in any case. */
    @GuardedBy("this")
    private @Nullable Stamp stamp;

    @GuardedBy("this")
    private byte[] digest = new byte[0];

    private SpecSource(SpecLocation location, SpecReader reader, long nowMillis) {
        this.location = location;
        this.reader = reader;
        this.state = new State(SpecReader.withoutFile(), new Configuration(BUILT_IN, nowMillis, List.of(), null));
    }

    /**
     * Reads the file for the first time.
     *
     * @param nowMillis wall clock, milliseconds since 1970
     * @throws ConfigurationException with a message of one line, if there is no good file and one is needed
     */
    public static SpecSource open(SpecLocation location, SpecReader reader, long nowMillis)
            throws ConfigurationException {
        SpecSource source = new SpecSource(location, reader, nowMillis);
        synchronized (source) {
            source.read(nowMillis, true, Objection.NONE);
        }
        return source;
    }

    /** Whether a check may take long, because the file is not on this machine. */
    public boolean isRemote() {
        return location.isRemote();
    }

    /** The last good specification. */
    public SchedulerSpec spec() {
        return state.spec();
    }

    /** Where it came from, and what is wrong with a newer one. */
    public Configuration configuration() {
        return state.configuration();
    }

    /**
     * Reads the file if it changed since the last check, or had errors then.
     *
     * @param nowMillis wall clock, milliseconds since 1970
     */
    public synchronized Look check(long nowMillis, Objection objection) {
        try {
            return new Look(read(nowMillis, false, objection), List.of());
        } catch (ConfigurationException e) {
            boolean known =
                    String.valueOf(e.getMessage()).equals(configuration().problem());
            keepLastGood(e);
            return new Look(false, known ? List.of() : e.problems());
        }
    }

    /**
     * Reads the file whether it changed or not.
     *
     * @return whether another specification is in force than before
     * @throws ConfigurationException with a message of one line; the last good one is still in force
     */
    public synchronized boolean reload(long nowMillis, Objection objection) throws ConfigurationException {
        try {
            return read(nowMillis, true, objection);
        } catch (ConfigurationException e) {
            keepLastGood(e);
            throw e;
        }
    }

    @GuardedBy("this")
    private void keepLastGood(ConfigurationException e) {
        stamp = null;
        Configuration inForce = state.configuration();
        state = new State(
                state.spec(),
                new Configuration(inForce.source(), inForce.loadedAtMillis(), inForce.warnings(), e.getMessage()));
    }

    @GuardedBy("this")
    private boolean read(long nowMillis, boolean forced, Objection objection) throws ConfigurationException {
        try {
            URL place = location.find();
            if (place == null) {
                return absent();
            }
            Stamp before = Stamp.of(place);
            if (!forced && before.equals(stamp)) {
                return false;
            }
            byte[] content = content(place, before);
            boolean settled = nowMillis - before.modifiedMillis() > SETTLED_AFTER_MILLIS;
            byte[] digestNow = sha256(content);
            boolean changed = false;
            if (forced || configuration().problem() != null || !Arrays.equals(digest, digestNow)) {
                changed = install(SpecLocation.shown(place), content, nowMillis, objection);
                digest = digestNow;
            }
            stamp = settled ? before : null;
            return changed;
        } catch (IOException e) {
            throw refused("cannot be read now: " + reason(e));
        }
    }

    @GuardedBy("this")
    private boolean absent() throws ConfigurationException {
        Configuration inForce = state.configuration();
        if (!location.mayBeAbsent()) {
            throw refused("does not exist; create it, or correct " + location.namedBy());
        }
        if (!inForce.source().equals(BUILT_IN)) {
            throw refused("has gone from the class path, or says no more than Hadoop's own "
                    + SpecLocation.CAPACITY_NAME
                    + "; put it back, or restart the ResourceManager (its last good content is still in force)");
        }
        SpecReader.Reading reading = reader.absent();
        boolean changed = !reading.spec().equals(state.spec());
        state = new State(
                reading.spec(), new Configuration(BUILT_IN, inForce.loadedAtMillis(), reading.warnings(), null));
        return changed;
    }

    private static byte[] content(URL place, Stamp before) throws IOException {
        byte[] content = SpecLocation.read(place, SpecReader.LARGEST_FILE + 1);
        if (content.length > SpecReader.LARGEST_FILE) {
            throw new IOException("it is larger than " + SpecReader.LARGEST_FILE + " bytes");
        }
        if (!Stamp.of(place).equals(before)) {
            throw new IOException("it is being written; it will be read again");
        }
        return content;
    }

    @GuardedBy("this")
    private boolean install(String shown, byte[] content, long nowMillis, Objection objection)
            throws ConfigurationException {
        SpecReader.Reading reading = reader.reading(shown, content);
        SchedulerSpec next = reading.spec();
        String refusal = objection.against(next);
        if (refusal != null) {
            throw new ConfigurationException(List.of(new Problem(shown, 0, "", "", refusal)));
        }
        boolean changed = !next.equals(state.spec());
        state = new State(next, new Configuration(shown, nowMillis, reading.warnings(), null));
        return changed;
    }

    /**
     * A configuration file now.
     *
     * @param place where it is
     * @param shown its name, for messages
     * @param content its bytes
     */
    public record Text(URL place, String shown, byte[] content) {}

    /**
     * The file now, whether it is in force or not.
     *
     * @throws ConfigurationException one sentence, if there is none
     */
    public Text text() throws ConfigurationException {
        try {
            URL place = location.find();
            if (place == null) {
                throw refused("does not exist, so there is nothing to change; create it");
            }
            return new Text(place, SpecLocation.shown(place), content(place, Stamp.of(place)));
        } catch (IOException e) {
            throw refused("cannot be read now: " + reason(e));
        }
    }

    /**
     * Checks whether such a file could come into force, and does not put it into force.
     *
     * @throws ConfigurationException if not, with all errors
     */
    public void tryOut(String shown, byte[] content, Objection objection) throws ConfigurationException {
        String refusal = objection.against(reader.reading(shown, content).spec());
        if (refusal != null) {
            throw new ConfigurationException(List.of(new Problem(shown, 0, "", "", refusal)));
        }
    }

    private ConfigurationException refused(String why) {
        return new ConfigurationException(List.of(new Problem(location.name(), 0, "", "", why)));
    }

    private static String reason(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "access is denied; let the user of this process read it";
        }
        if (e instanceof NoSuchFileException) {
            return "it went away";
        }
        String message = String.valueOf(e.getMessage());
        return message.lines().findFirst().orElse(message); // a remote one has its stack trace in it
    }

    private static byte[] sha256(byte[] content) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(content);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
