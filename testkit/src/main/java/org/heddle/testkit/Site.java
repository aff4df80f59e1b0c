// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** The properties of one cluster, for its daemons and for its clients, and the files that they name. */
final class Site {
    private final Path home;
    private final Map<String, String> properties = new LinkedHashMap<>();

    Site(ClusterBuilder plan, Path home) throws IOException {
        this.home = home;
        properties.putAll(Defaults.yarn(plan.scheduler));
        properties.put("hadoop.tmp.dir", home.resolve("tmp").toString());
        properties.put(
                "yarn.node-attribute.fs-store.root-dir",
                home.resolve("node-attributes").toUri().toString());
        properties.put(
                "yarn.node-labels.fs-store.root-dir",
                home.resolve("node-labels").toUri().toString());
        Files.createFile(excludedHosts());
        properties.put(
                "yarn.resourcemanager.nodes.exclude-path", excludedHosts().toString());
        String self = UserGroupInformation.getLoginUser().getShortUserName();
        properties.put("hadoop.proxyuser." + self + ".hosts", "*");
        properties.put("hadoop.proxyuser." + self + ".groups", "*");
        // A JVM in a container knows the nodes' names only from this file.
        properties.put("yarn.nodemanager.admin-env.JAVA_TOOL_OPTIONS", "-Djdk.net.hosts.file=" + hosts());
        if (!plan.dataNodeHosts.isEmpty()) {
            properties.putAll(Defaults.hdfs());
        }
        String classPath = writeClassPathJar(home, plan.classPathEntries()).toString();
        // Masters of many engines take the ResourceManager's address not from their client but from the node.
        properties.put("yarn.application.classpath", containers() + "," + classPath);
        if (plan.mapReduce) {
            properties.putAll(Defaults.mapReduce());
            properties.put("mapreduce.application.classpath", classPath);
            if (!plan.historyServer) {
                // Empty: clients take the final state from the ResourceManager instead of looking for the server.
                properties.put("mapreduce.jobhistory.address", "");
            }
        }
        if (!plan.extraTypes().isEmpty()) {
            properties.put(YarnConfiguration.RESOURCE_TYPES, String.join(",", plan.extraTypes()));
        }
        int number = 0;
        for (Map.Entry<String, String> file : plan.files.entrySet()) {
            Path written = home.resolve("queues-" + ++number + ".xml");
            Files.writeString(written, file.getValue());
            properties.put(file.getKey(), written.toString());
        }
        properties.putAll(plan.properties);
    }

    Path hosts() {
        return home.resolve("hosts");
    }

    Path racks() {
        return home.resolve("racks");
    }

    /** The client configuration that containers find on their class path. */
    Path containers() {
        return home.resolve("conf");
    }

    Path excludedHosts() {
        return home.resolve("excluded-hosts");
    }

    void put(String name, String value) {
        properties.put(name, value);
    }

    /** Takes over addresses that a daemon wrote into its configuration once it knew its ports. */
    void adopt(Configuration daemon, String prefix) {
        properties.replaceAll((name, value) -> {
            String real = daemon.get(name);
            return name.startsWith(prefix) && name.endsWith("address") && real != null ? real : value;
        });
    }

    /** The configuration of daemons: as that of clients, but racks come from this JVM. */
    Configuration forDaemons() {
        Configuration conf = new YarnConfiguration();
        properties.forEach(conf::set);
        conf.setClass(
                CommonConfigurationKeysPublic.NET_TOPOLOGY_NODE_SWITCH_MAPPING_IMPL_KEY,
                RackTable.class,
                DNSToSwitchMapping.class);
        return conf;
    }

    /** The configuration of clients and, through them, of their jobs' ApplicationMasters. */
    Configuration forClients() {
        Configuration conf = new YarnConfiguration();
        clientProperties().forEach(conf::set);
        return conf;
    }

    void writeForClients(Path target) throws IOException {
        writeFiles(target, clientProperties());
    }

    /** Writes core-site.xml and the other site files, each with the properties that belong into it. */
    static void writeFiles(Path target, Map<String, String> properties) throws IOException {
        Files.createDirectories(target);
        Map<String, Configuration> files = new TreeMap<>();
        for (String file : List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml", "mapred-site.xml")) {
            files.put(file, new Configuration(false));
        }
        properties.forEach((name, value) -> files.computeIfAbsent(fileOf(name), file -> new Configuration(false))
                .set(name, value));
        for (Map.Entry<String, Configuration> entry : files.entrySet()) {
            writeFile(target.resolve(entry.getKey()), entry.getValue());
        }
    }

    static void writeFile(Path file, Configuration properties) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            properties.writeXml(out);
        }
    }

    private static String fileOf(String property) {
        if (property.startsWith("dfs.")) {
            return "hdfs-site.xml";
        }
        if (property.startsWith("mapreduce.") || property.startsWith("yarn.app.mapreduce.")) {
            return "mapred-site.xml";
        }
        return property.startsWith("yarn.") ? "yarn-site.xml" : "core-site.xml";
    }

    private Map<String, String> clientProperties() {
        Map<String, String> client = new LinkedHashMap<>(properties);
        client.remove("yarn.is.minicluster");
        client.put(
                CommonConfigurationKeysPublic.NET_TOPOLOGY_NODE_SWITCH_MAPPING_IMPL_KEY,
                "org.apache.hadoop.net.TableMapping");
        client.put(CommonConfigurationKeysPublic.NET_TOPOLOGY_TABLE_MAPPING_FILE_KEY, racks().toString());
        return client;
    }

    /** One jar that names all others keeps launch scripts and job files short. */
    static Path writeClassPathJar(Path home, List<String> classPath) throws IOException {
        StringBuilder entries = new StringBuilder();
        for (String entry : classPath) {
            entries.append(Path.of(entry).toUri()).append(' ');
        }
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes()
                .put(Attributes.Name.CLASS_PATH, entries.toString().trim());
        Path jar = home.resolve("class-path.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file, manifest)) {
            out.flush();
        }
        return jar;
    }
}
