// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What users get: the archive, unpacked. */
public final class Distribution {
    private final Path directory;

    private Distribution(Path directory) {
        this.directory = directory;
    }

    /** Unpacks the archive that module distribution/ has made into a new directory below target/. */
    public static Distribution unpack() throws IOException {
        return unpack(SourceTree.newDirectory("heddle"));
    }

    public static Distribution unpack(Path parent) throws IOException {
        return unpack(archive(), parent);
    }

    /** Unpacks another archive than the one that was just made. */
    public static Distribution unpack(Path archive, Path parent) throws IOException {
        Files.createDirectories(parent);
        Command.of("tar", "-xzf", archive, "-C", parent).run().orFail();
        try (Stream<Path> all = Files.list(parent)) {
            List<Path> unpacked = all.toList();
            if (unpacked.size() != 1) {
                throw new IOException(archive + " does not hold one directory, but " + unpacked);
            }
            return new Distribution(unpacked.get(0).toRealPath());
        }
    }

    /** The archive itself. */
    public static Path archive() throws IOException {
        Path target = SourceTree.root().resolve("distribution/target");
        String name = "heddle-" + System.getProperty("heddle.version") + ".tar.gz";
        if (!Files.exists(target.resolve(name))) {
            throw new IOException(
                    target.resolve(name) + " is missing: ./mvnw package makes it, with -am for one module");
        }
        return target.resolve(name);
    }

    public Path directory() {
        return directory;
    }

    /** A command of bin/. */
    public Path command(String name) {
        return directory.resolve("bin").resolve(name);
    }

    /** Puts plugins (drf, market, late) into a Hadoop installation, by the shipped command. */
    public CommandResult install(HadoopHome home, String... plugins) throws IOException {
        Command install = Command.of(command("heddle"), "install", "--hadoop-home", home.path());
        for (String plugin : plugins) {
            install.and("--plugin", plugin);
        }
        return install.run().orFail();
    }

    public CommandResult uninstall(HadoopHome home) throws IOException {
        return Command.of(command("heddle"), "uninstall", "--hadoop-home", home.path())
                .run()
                .orFail();
    }
}
