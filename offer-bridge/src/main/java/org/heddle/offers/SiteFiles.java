// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.heddle.offers.yarn.KerberosLogin;
import org.heddle.settings.LayeredSettings;
import org.heddle.settings.RestrictedXml;

/**
 * The configuration that a command line names. Keys of the bridge: options, the environment, system properties, the
 * site files of the command line, those of the cluster. Keys of the cluster: options and site files.
 */
final class SiteFiles {
    private SiteFiles() {}

    static Bridge startBridge(List<Path> files, List<String> definitions) throws IOException {
        Map<String, String> options = options(definitions);
        Configuration conf = new YarnConfiguration();
        for (Path file : files) {
            if (!Files.isReadable(file)) {
                throw new IllegalArgumentException("--conf " + file + ": no such file, or not readable");
            }
            if (Files.isDirectory(file)) {
                throw new IllegalArgumentException(
                        "--conf " + file + ": is a directory; name each site file in it that counts");
            }
            refuseOtherXml(file);
            conf.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
        }
        LayeredSettings settings = LayeredSettings.builder(BridgeKeys.PREFIX, BridgeKeys.ALL)
                .values("by -D", options)
                .environment(System.getenv())
                .systemProperties(System.getProperties())
                .values("in a site file", BridgeSettingsReader.siteFile(conf))
                .build();
        options.forEach(conf::set);
        BridgeSettings read = BridgeSettingsReader.read(settings, conf);
        KerberosLogin.login(conf, read.kerberos().principal(), read.kerberos().keytab());
        return Bridge.start(read, conf);
    }

    /** Hadoop ignores a file of another kind, and says so only in its log. */
    private static void refuseOtherXml(Path file) throws IOException {
        String outermost;
        try (InputStream in = Files.newInputStream(file)) {
            XMLStreamReader xml = RestrictedXml.reader(in);
            while (!xml.isStartElement()) {
                xml.next();
            }
            outermost = xml.getLocalName();
        } catch (XMLStreamException e) {
            return; // Hadoop says where it is wrong
        }
        if (!outermost.equals("configuration")) {
            throw new IllegalArgumentException(
                    "--conf " + file + ": is no site file, because its outermost element is <" + outermost
                            + ">; name one such as yarn-site.xml, of <configuration>");
        }
    }

    private static Map<String, String> options(List<String> definitions) {
        Map<String, String> options = new LinkedHashMap<>();
        for (String definition : definitions) {
            int equals = definition.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("-D " + definition + ": must be KEY=VALUE");
            }
            options.put(definition.substring(0, equals), definition.substring(equals + 1));
        }
        return options;
    }
}
