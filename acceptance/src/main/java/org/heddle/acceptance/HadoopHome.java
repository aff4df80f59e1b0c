// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A Hadoop installation as its own archive lays it out, put together from the jars that Maven has: {@code share/hadoop}
 * with links to jars, {@code bin} with small scripts that start the stock main classes, an empty {@code etc/hadoop}.
 */
public final class HadoopHome {
    private static final List<String> PARTS = List.of("common", "hdfs", "yarn", "mapreduce");

    private final Path home;

    private HadoopHome(Path home) {
        this.home = home;
    }

    /** Which Hadoop. */
    public enum Line {
        HADOOP_3_5("hadoop-3.5"),
        HADOOP_3_4("hadoop-3.4");

        private final String module;

        Line(String module) {
            this.module = module;
        }

        private List<Path> jars() throws IOException {
            Path list = SourceTree.root().resolve("acceptance").resolve(module).resolve("target/hadoop.jars");
            if (!Files.exists(list)) {
                throw new IOException(list + " is missing: build with -am, which builds module acceptance/" + module);
            }
            return Stream.of(Files.readString(list).strip().split(":"))
                    .map(Path::of)
                    .toList();
        }

        @Override
        public String toString() {
            return module;
        }
    }

    /** Puts an installation together in a new directory below target/. */
    public static HadoopHome assemble(Line line) throws IOException {
        return assemble(line, SourceTree.newDirectory(line.toString()));
    }

    /** Puts an installation together in a directory that is empty or does not exist. */
    public static HadoopHome assemble(Line line, Path directory) throws IOException {
        HadoopHome home = new HadoopHome(Files.createDirectories(directory).toRealPath());
        for (String part : PARTS) {
            Files.createDirectories(home.share(part).resolve("lib"));
        }
        Files.createDirectories(home.path().resolve("share/hadoop/tools/lib"));
        for (Path jar : line.jars()) {
            if (jar.getFileName().toString().matches("hadoop-hdfs-[0-9.]+-tests\\.jar")) {
                home.unpackWebApplications(jar);
            } else {
                Files.createSymbolicLink(home.placeOf(jar), jar);
            }
        }
        for (String command : List.of("hadoop", "hdfs", "mapred", "yarn")) {
            home.script(command);
        }
        Files.createDirectories(home.path().resolve("etc/hadoop"));
        for (String site : Site.FILES) {
            Files.writeString(home.path().resolve("etc/hadoop").resolve(site), "<configuration>\n</configuration>\n");
        }
        return home;
    }

    /** Hadoop's own jars by their names; what they need all in common/lib, where every class path has it. */
    private Path placeOf(Path jar) {
        String name = jar.getFileName().toString();
        String group = name.startsWith("hadoop-shaded") ? "" : name.replaceFirst("^hadoop-([a-z]+)-.*", "$1");
        return switch (group) {
            case "common" -> share("common").resolve(name);
            case "hdfs", "yarn", "mapreduce" -> share(group).resolve(name);
            case "streaming" -> home.resolve("share/hadoop/tools/lib").resolve(name);
            default -> share("common").resolve("lib").resolve(name);
        };
    }

    private Path share(String part) {
        return home.resolve("share/hadoop").resolve(part);
    }

    /** Hadoop's archive has them as files beside hadoop-hdfs.jar; on Maven Central they are in the jar of its tests. */
    private void unpackWebApplications(Path jar) throws IOException {
        try (FileSystem zip = FileSystems.newFileSystem(jar)) {
            Path root = zip.getPath("webapps");
            try (Stream<Path> all = Files.walk(root)) {
                for (Path path : all.toList()) {
                    Path to = share("hdfs")
                            .resolve("webapps")
                            .resolve(root.relativize(path).toString());
                    if (Files.isDirectory(path)) {
                        Files.createDirectories(to);
                    } else {
                        Files.copy(path, to, StandardCopyOption.REPLACE_EXISTING);
                    }
                }
            }
        }
    }

    private void script(String name) throws IOException {
        Path bin = Files.createDirectories(home.resolve("bin"));
        try (InputStream text = Objects.requireNonNull(HadoopHome.class.getResourceAsStream("bin/" + name))) {
            Path script = bin.resolve(name);
            Files.copy(text, script);
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    /** What HADOOP_HOME is to be. */
    public Path path() {
        return home;
    }

    /** One of hadoop, yarn, mapred, hdfs. */
    public String command(String name) {
        return home.resolve("bin").resolve(name.toLowerCase(Locale.ROOT)).toString();
    }

    /** The jar with the stock MapReduce examples. */
    public Path examples() throws IOException {
        return only(share("mapreduce"), "hadoop-mapreduce-examples-");
    }

    /** A jar of a directory by how its name begins. */
    public static Path only(Path directory, String prefix) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no " + prefix + "* in " + directory));
        }
    }
}
