// SPDX-License-Identifier: Apache-2.0
package org.heddle.install;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The directory of an unpacked Hadoop. */
final class HadoopHome {
    private static final List<String> CLASS_PATH = List.of(
            "share/hadoop/common",
            "share/hadoop/common/lib",
            "share/hadoop/hdfs",
            "share/hadoop/hdfs/lib",
            "share/hadoop/yarn",
            "share/hadoop/yarn/lib",
            "share/hadoop/mapreduce",
            "share/hadoop/mapreduce/lib");
    private static final List<String> SITE_FILES = List.of("core-site.xml", "yarn-site.xml", "mapred-site.xml");
    private static final Pattern OUR_JAR =
            Pattern.compile("heddle-(?:drf-scheduler|dynamic-priority-scheduler|late-speculator)-[0-9].*[.]jar");
    private static final Pattern COMMENT = Pattern.compile("<!--.*?-->", Pattern.DOTALL);
    private static final Pattern PROPERTY = Pattern.compile("<property>(.*?)</property>", Pattern.DOTALL);
    private static final Pattern NAME = Pattern.compile("<name>\\s*([^<\\s]+)\\s*</name>");
    private static final Pattern VALUE = Pattern.compile("<value>\\s*([^<]*?)\\s*</value>");
    private static final Pattern VERSION =
            Pattern.compile("hadoop-(?:common|yarn-api|yarn-server-resourcemanager)-([0-9]+[.][0-9]+)[0-9.]*[.]jar");
    private static final Set<String> TESTED = Set.of("3.4", "3.5");

    private final Path directory;

    HadoopHome(Path directory) {
        this.directory = directory.toAbsolutePath().normalize();
    }

    Path directory() {
        return directory;
    }

    Path resolve(String place) {
        return directory.resolve(place);
    }

    /** @throws RefusedException when the directory is no Hadoop, or lacks a folder that is needed */
    void check(Set<String> folders) {
        if (!Files.isDirectory(directory)) {
            throw new RefusedException(directory + " is not a directory; give --hadoop-home the directory of a Hadoop");
        }
        if (!Files.isDirectory(resolve("share/hadoop"))) {
            throw new RefusedException(directory + " is not a Hadoop home: it has no share/hadoop; docs/install.md"
                    + " says what to do where a vendor keeps Hadoop in other directories");
        }
        for (String folder : folders) {
            if (!Files.isDirectory(resolve(folder))) {
                throw new RefusedException(directory + " is not a whole Hadoop home: it has no " + folder
                        + ", where the jar belongs; give --hadoop-home the directory of a Hadoop");
            }
        }
    }

    /** Jars of ours on the class path, as paths below the home, which the list does not name. */
    List<String> foreign(InstalledFiles installed) throws IOException {
        List<String> found = new ArrayList<>();
        for (String place : jars()) {
            boolean ours =
                    OUR_JAR.matcher(place.substring(place.lastIndexOf('/') + 1)).matches();
            if (ours && !installed.files().containsKey(place)) {
                found.add(place);
            }
        }
        return found;
    }

    private List<String> jars() throws IOException {
        List<String> jars = new ArrayList<>();
        for (String folder : CLASS_PATH) {
            if (Files.isDirectory(resolve(folder))) {
                try (DirectoryStream<Path> files = Files.newDirectoryStream(resolve(folder), "*.jar")) {
                    files.forEach(file -> jars.add(folder + "/" + file.getFileName()));
                }
            }
        }
        jars.sort(null);
        return jars;
    }

    /** A line of Hadoop on which nothing was tested; empty if it is a tested one, or cannot be told. */
    String untestedVersion() throws IOException {
        for (String place : jars()) {
            Matcher name = VERSION.matcher(place.substring(place.lastIndexOf('/') + 1));
            if (name.matches()) {
                return TESTED.contains(name.group(1)) ? "" : name.group(1);
            }
        }
        return "";
    }

    /** Properties of the site files whose values name classes of ours: "file: name = value". */
    List<String> properties(Pattern value) throws IOException {
        List<String> found = new ArrayList<>();
        for (Map.Entry<String, String> property : properties().entrySet()) {
            if (value.matcher(property.getValue()).find()) {
                found.add(property.getKey() + " = " + property.getValue());
            }
        }
        return found;
    }

    /** The value of a property, or nothing. */
    String property(String file, String name) throws IOException {
        return properties().getOrDefault(siteFile(file) + ": " + name, "");
    }

    private Path siteFile(String file) {
        String other = System.getenv("HADOOP_CONF_DIR");
        Path own = resolve("etc/hadoop").resolve(file);
        return other == null || other.isEmpty() || Files.exists(own) ? own : Path.of(other, file);
    }

    private Map<String, String> properties() throws IOException {
        Map<String, String> properties = new TreeMap<>();
        for (String site : SITE_FILES) {
            Path file = siteFile(site);
            if (Files.isReadable(file)) {
                String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
                Matcher property = PROPERTY.matcher(COMMENT.matcher(text).replaceAll(""));
                while (property.find()) {
                    Matcher name = NAME.matcher(property.group(1));
                    Matcher value = VALUE.matcher(property.group(1));
                    if (name.find() && value.find()) {
                        properties.put(file + ": " + name.group(1), value.group(1));
                    }
                }
            }
        }
        return properties;
    }

    static String sha256(Path file) throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] buffer = new byte[1 << 16];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                digest.update(buffer, 0, read);
            }
        }
        StringBuilder hex = new StringBuilder();
        for (byte part : digest.digest()) {
            hex.append(String.format(Locale.ROOT, "%02x", part));
        }
        return hex.toString();
    }
}
