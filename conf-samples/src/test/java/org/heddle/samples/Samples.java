// SPDX-License-Identifier: Apache-2.0
package org.heddle.samples;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** The files of this module that are not its own source. */
final class Samples {
    /** The module's directory, in which Maven runs its tests. */
    static final Path ROOT = Path.of("").toAbsolutePath();

    private static final Set<String> NOT_SAMPLES = Set.of("src", "target", "pom.xml");

    private Samples() {}

    /** Paths of all samples, relative to {@link #ROOT}. */
    static List<Path> all() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(Files::isRegularFile)
                    .map(ROOT::relativize)
                    .filter(file -> !NOT_SAMPLES.contains(file.getName(0).toString()))
                    .sorted()
                    .toList();
        }
    }

    static List<Path> matching(String... globs) throws IOException {
        List<PathMatcher> matchers = Stream.of(globs)
                .map(glob -> FileSystems.getDefault().getPathMatcher("glob:" + glob))
                .toList();
        return all().stream()
                .filter(file -> matchers.stream().anyMatch(matcher -> matcher.matches(file)))
                .toList();
    }

    static Path file(String path) {
        return ROOT.resolve(path);
    }

    static String text(String path) throws IOException {
        return Files.readString(file(path));
    }

    /** What the files say, and nothing of Hadoop's defaults. */
    static Configuration site(Path... files) {
        Configuration site = new Configuration(false);
        for (Path file : files) {
            site.addResource(new org.apache.hadoop.fs.Path(ROOT.resolve(file).toUri()));
        }
        return site;
    }

    /**
     * A ResourceManager's configuration of these files, on free ports of this machine and without a store of its own.
     */
    static YarnConfiguration manager(Path... files) {
        DefaultMetricsSystem.setMiniClusterMode(true);
        YarnConfiguration conf = new YarnConfiguration(); // with Hadoop's defaults, which a copy of site() would lack
        for (Path file : files) {
            conf.addResource(new org.apache.hadoop.fs.Path(ROOT.resolve(file).toUri()));
        }
        for (String address : List.of(
                YarnConfiguration.RM_ADDRESS,
                YarnConfiguration.RM_SCHEDULER_ADDRESS,
                YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS,
                YarnConfiguration.RM_ADMIN_ADDRESS,
                YarnConfiguration.RM_WEBAPP_ADDRESS)) {
            conf.set(address, "localhost:0");
        }
        // Makes the ResourceManager write the port that it got into its configuration.
        conf.setBoolean(YarnConfiguration.IS_MINI_YARN_CLUSTER, true);
        conf.setBoolean(YarnConfiguration.RECOVERY_ENABLED, false);
        return conf;
    }

    /** Where the web server of a ResourceManager that was started with {@link #manager} answers. */
    static String web(Configuration conf) {
        String address = String.valueOf(conf.get(YarnConfiguration.RM_WEBAPP_ADDRESS));
        return "http://localhost" + address.substring(address.lastIndexOf(':'));
    }
}
