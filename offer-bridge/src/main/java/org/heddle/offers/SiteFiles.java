// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** The configuration of a command line: the cluster's site files, then the files of --conf, then the keys of -D. */
final class SiteFiles {
    private SiteFiles() {}

    static Bridge startBridge(List<Path> files, List<String> definitions) throws IOException {
        return Bridge.start(BridgeKeys.read(read(files, definitions)), read(files, definitions));
    }

    private static Configuration read(List<Path> files, List<String> definitions) {
        Configuration conf = new YarnConfiguration();
        for (Path file : files) {
            if (!Files.isReadable(file)) {
                throw new IllegalArgumentException("--conf " + file + ": no such file, or not readable");
            }
            conf.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
        }
        for (String definition : definitions) {
            int equals = definition.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("-D " + definition + ": want KEY=VALUE");
            }
            conf.set(definition.substring(0, equals), definition.substring(equals + 1));
        }
        return conf;
    }
}
