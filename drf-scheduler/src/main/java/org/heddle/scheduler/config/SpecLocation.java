// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The location of the configuration file. Nothing is cached: a file that appears later is found later. */
public final class SpecLocation {
    public static final String DEFAULT_NAME = "heddle-scheduler.xml";
    /** CapacityScheduler's file on the class path. Every Hadoop brings one along. */
    public static final String CAPACITY_NAME = "capacity-scheduler.xml";
    /** How the name of a store with CapacityScheduler's configuration begins, which stands in place of that file. */
    public static final String STORE = "configuration-store:";

    private final String name;
    private final String namedBy;
    private final boolean mayBeAbsent;
    private final Function<String, @Nullable URL> resources;
    /** Whether a file of CapacityScheduler's says more than the one that every Hadoop brings along. */
    private final Predicate<URL> saysSomething;

    private SpecLocation(
            String name,
            String namedBy,
            boolean mayBeAbsent,
            Function<String, @Nullable URL> resources,
            Predicate<URL> saysSomething) {
        this.name = name;
        this.namedBy = namedBy;
        this.mayBeAbsent = mayBeAbsent;
        this.resources = resources;
        this.saysSomething = saysSomething;
    }

    /**
     * The file that {@link SchedulerKeys#CONFIGURATION_FILE} names; else the {@code heddle-scheduler.xml} on the class
     * path; else the file that {@link FairKeys#ALLOCATION_FILE} names; else the {@code fair-scheduler.xml} on the class
     * path; else the {@code capacity-scheduler.xml} there if it says more than Hadoop's own. The choice is made once,
     * here; where none of them counts, the first and the last are looked for again each time.
     *
     * @param configuration from key to value, null where unset (Hadoop's {@code Configuration::get})
     * @param resources from a name to where it stands on the class path, and from a URI to its place; null if nowhere
     * @param saysSomething whether a file of CapacityScheduler's says more than the one that every Hadoop brings along
     * @throws IllegalArgumentException one sentence if the key's value cannot be used
     */
    public static SpecLocation from(
            Function<String, @Nullable String> configuration,
            Function<String, @Nullable URL> resources,
            Predicate<URL> saysSomething) {
        String ours = SchedulerKeys.CONFIGURATION_FILE.name();
        String fair = FairKeys.ALLOCATION_FILE.name();
        if (configuration.apply(ours) != null) {
            return new SpecLocation(
                    SchedulerKeys.CONFIGURATION_FILE.read(configuration), ours, false, resources, saysSomething);
        }
        if (resources.apply(DEFAULT_NAME) == null) {
            if (configuration.apply(fair) != null) {
                return new SpecLocation(
                        FairKeys.ALLOCATION_FILE.read(configuration), fair, false, resources, saysSomething);
            }
            if (resources.apply(FairKeys.DEFAULT_FILE) != null) {
                return new SpecLocation(FairKeys.DEFAULT_FILE, fair, false, resources, saysSomething);
            }
            URL capacity = resources.apply(CAPACITY_NAME);
            if (capacity == null || !saysSomething.test(capacity)) {
                return new SpecLocation(DEFAULT_NAME, ours, true, resources, saysSomething);
            }
            return new SpecLocation(CAPACITY_NAME, ours, false, resources, saysSomething);
        }
        return new SpecLocation(DEFAULT_NAME, ours, true, resources, place -> false);
    }

    public String name() {
        return name;
    }

    /** The key that names the file. */
    public String namedBy() {
        return namedBy;
    }

    /** Whether no key names a file; then there need not be one. */
    public boolean mayBeAbsent() {
        return mayBeAbsent;
    }

    /** Whether CapacityScheduler's configuration counts, if it says anything, or if nothing else does. */
    public boolean isCapacitySchedulers() {
        return name.equals(CAPACITY_NAME) || (mayBeAbsent && resources.apply(DEFAULT_NAME) == null);
    }

    /** The files on the class path that would count if this one did not, in order. */
    public List<URL> others() {
        List<URL> others = new ArrayList<>();
        for (String other : List.of(FairKeys.DEFAULT_FILE, CAPACITY_NAME)) {
            URL place = other.equals(name) ? null : resources.apply(other);
            if (place != null && (other.equals(FairKeys.DEFAULT_FILE) || saysSomething.test(place))) {
                others.add(place);
            }
        }
        return others;
    }

    /** Whether reading may take long, because the file is not on this machine. */
    public boolean isRemote() {
        return name.contains("://") && !name.startsWith("file:");
    }

    /**
     * The file's place now, null if there is none.
     *
     * @throws IOException one sentence if the name cannot be the name of a file
     */
    @Nullable
    public URL find() throws IOException {
        try {
            if (name.startsWith("file:")) {
                return existing(Path.of(new URI(name)));
            }
            if (isRemote()) {
                URL place = resources.apply(new URI(name).toString());
                if (place == null) {
                    throw new IOException("no file system is known for this scheme; name a local file, or one in HDFS");
                }
                return place;
            }
            Path path = Path.of(name);
            if (path.isAbsolute()) {
                return existing(path);
            }
            URL place = resources.apply(name);
            URL capacity = place == null && mayBeAbsent ? resources.apply(CAPACITY_NAME) : null;
            return capacity != null && saysSomething.test(capacity) ? capacity : place;
        } catch (URISyntaxException | InvalidPathException e) {
            throw new IOException("is not the name of a file: " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "is not a file: URI of an absolute path, such as file:///etc/hadoop/" + DEFAULT_NAME, e);
        }
    }

    private static @Nullable URL existing(Path path) throws IOException {
        return Files.exists(path) ? path.toUri().toURL() : null;
    }

    /**
     * A time stamp that changes when the file changes.
     *
     * @param place where it is
     * @param modifiedMillis when it was last written; 0 inside a jar, far in the future where it has to be read to know
     * @param size in bytes; 0 inside a jar
     * @param key the file system's own identity of the file, as text
     */
    public record Stamp(String place, long modifiedMillis, long size, String key) {
        public static Stamp of(URL place) throws IOException {
            Path file = file(place);
            if (file == null) {
                boolean packed = "jar".equals(place.getProtocol());
                return new Stamp(place.toString(), packed ? 0 : Long.MAX_VALUE, 0, "");
            }
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            if (attributes.isDirectory()) {
                throw new IOException("it is a directory; name a file");
            }
            return new Stamp(
                    place.toString(),
                    attributes.lastModifiedTime().toMillis(),
                    attributes.size(),
                    String.valueOf(attributes.fileKey()));
        }
    }

    /** The bytes at a place, at most {@code limit} of them. */
    public static byte[] read(URL place, int limit) throws IOException {
        URLConnection connection = place.openConnection();
        connection.setUseCaches(false);
        try (InputStream in = connection.getInputStream()) {
            return in.readNBytes(limit);
        }
    }

    /** The name to show for a place: a path where it is a file. */
    public static String shown(URL place) throws IOException {
        Path file = file(place);
        return file == null ? place.toString() : file.toString();
    }

    private static @Nullable Path file(URL place) throws IOException {
        try {
            return "file".equals(place.getProtocol()) ? Path.of(place.toURI()) : null;
        } catch (URISyntaxException e) {
            throw new IOException("is not the name of a file: " + place, e);
        }
    }
}
