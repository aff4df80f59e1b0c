// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.scheduler;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.fair.FairWriter;
import org.heddle.scheduler.config.read.SpecReader;
import org.heddle.scheduler.policy.ShareOrders;
import org.heddle.settings.RestrictedXml;
import org.jspecify.annotations.Nullable;

/**
 * The files with queues that the user gave, told apart by their root element. A scheduler whose own file is missing
 * gets what a converter makes of another one: FairScheduler what {@code heddle convert} makes of a
 * heddle-scheduler.xml, CapacityScheduler what Hadoop's {@code fs2cs} makes of a fair-scheduler.xml; the DRF scheduler
 * reads all three.
 */
public final class QueueFiles {
    private enum Format {
        HEDDLE("heddle-scheduler", "heddle-scheduler.xml"),
        FAIR("allocations", "fair-scheduler.xml"),
        CAPACITY("configuration", "capacity-scheduler.xml");

        private final String root;
        private final String file;

        Format(String root, String file) {
            this.root = root;
            this.file = file;
        }
    }

    /**
     * A file for a scheduler.
     *
     * @param remarks what a converter could not convert; empty if the file is the user's
     */
    record Found(Path file, List<String> remarks) {}

    private final Map<Format, Path> files = new EnumMap<>(Format.class);

    /** @throws IOException one sentence if a file cannot be used, or two are of one format */
    public QueueFiles(List<Path> given) throws IOException {
        for (Path file : given) {
            Path other = files.put(format(file), file.toAbsolutePath());
            if (other != null) {
                throw new IOException(other + " and " + file + " have the same format; give one of them");
            }
        }
    }

    private static Format format(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + " is no file; give a fair-scheduler.xml, a heddle-scheduler.xml or a"
                    + " capacity-scheduler.xml");
        }
        String root = root(file);
        for (Format format : Format.values()) {
            if (format.root.equals(root)) {
                return format;
            }
        }
        throw new IOException(file + " begins with <" + root + ">; a fair-scheduler.xml begins with <allocations>, a"
                + " heddle-scheduler.xml with <heddle-scheduler>, a capacity-scheduler.xml with <configuration>");
    }

    /** The name of the root element; document types and entities are not followed. */
    private static String root(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            XMLStreamReader xml = RestrictedXml.reader(in);
            while (!xml.isStartElement()) {
                xml.next();
            }
            return xml.getLocalName();
        } catch (XMLStreamException | IllegalStateException | NoSuchElementException e) {
            throw new IOException(file + " is no XML", e);
        }
    }

    /** A file of a name beside one of the user's files; null if there is none. */
    public static @Nullable Path beside(List<Path> given, String name) {
        for (Path file : given) {
            Path sibling = file.toAbsolutePath().resolveSibling(name);
            if (Files.isRegularFile(sibling)) {
                return sibling;
            }
        }
        return null;
    }

    /** The file for the DRF scheduler. */
    Path heddle() throws IOException {
        for (Format format : Format.values()) {
            Path file = files.get(format);
            if (file != null) {
                return file;
            }
        }
        throw missing(SchedulerKind.HEDDLE, "a heddle-scheduler.xml, a fair-scheduler.xml or a capacity-scheduler.xml");
    }

    /**
     * The file for FairScheduler.
     *
     * @param scratch a directory for a converted file
     * @param units from each resource type of the cluster to its unit
     */
    Found fair(Path scratch, Map<String, String> units) throws IOException {
        Path own = files.get(Format.FAIR);
        if (own != null) {
            return new Found(own, List.of());
        }
        Path file = files.get(Format.HEDDLE);
        if (file == null) {
            throw missing(SchedulerKind.FAIR, "a fair-scheduler.xml or a heddle-scheduler.xml");
        }
        try {
            List<String> orders = List.copyOf(
                    ShareOrders.discover(QueueFiles.class.getClassLoader()).names());
            FairWriter.Result written = FairWriter.write(
                    new SpecReader(KnownNames.of(orders, units)).read(file.toString(), Files.readAllBytes(file)));
            List<String> remarks = new ArrayList<>();
            remarks.add("runs with what heddle convert makes of " + file.getFileName());
            remarks.addAll(written.lost());
            return new Found(Files.writeString(scratch.resolve(Format.FAIR.file), written.text()), remarks);
        } catch (ConfigurationException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** The user's file for CapacityScheduler; null if there is none. */
    @Nullable
    Path capacity() {
        return files.get(Format.CAPACITY);
    }

    /** What to say where there is no file for a scheduler. */
    private static IOException missing(SchedulerKind kind, String what) {
        return new IOException(
                kind.word() + " needs " + what + "; give it with --file, or leave " + kind.word() + " out of --with");
    }
}
