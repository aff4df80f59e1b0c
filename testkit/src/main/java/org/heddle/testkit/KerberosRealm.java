// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.kerby.kerberos.kerb.client.KrbClient;

/**
 * A KDC in this process, and what HDFS, YARN and MapReduce need to use it. While it is open this JVM is logged in as
 * the user of the daemons. Needs {@code hadoop-minikdc} on the class path.
 */
public final class KerberosRealm implements AutoCloseable {
    private static final String DAEMON = "daemon/localhost";
    private static final String WEB = "HTTP/localhost";
    private static final List<String> SERVICES = List.of(
            "dfs.namenode.kerberos",
            "dfs.datanode.kerberos",
            "yarn.resourcemanager",
            "yarn.nodemanager",
            "mapreduce.jobhistory");
    private static final List<String> KEYTABS = List.of(
            "dfs.namenode.keytab.file",
            "dfs.datanode.keytab.file",
            "yarn.resourcemanager.keytab",
            "yarn.nodemanager.keytab",
            "mapreduce.jobhistory.keytab");

    private final MiniKdc kdc;
    private final Path keytab;

    /**
     * Starts the KDC and logs in.
     *
     * @param directory for its files, made if it does not exist
     * @param ticketSeconds how long tickets are valid
     * @param principals further ones, as {@code bridge/localhost}; {@link #keytab} has their keys too
     */
    public KerberosRealm(Path directory, int ticketSeconds, String... principals) throws Exception {
        Properties settings = MiniKdc.createConf();
        settings.setProperty(MiniKdc.MAX_TICKET_LIFETIME, String.valueOf(ticketSeconds));
        kdc = new MiniKdc(settings, Files.createDirectories(directory).toFile());
        kdc.start();
        keytab = directory.resolve("all.keytab");
        String[] all = Arrays.copyOf(principals, principals.length + 2);
        all[principals.length] = DAEMON;
        all[principals.length + 1] = WEB;
        kdc.createPrincipal(keytab.toFile(), all);
        Configuration secure = new Configuration();
        properties().forEach(secure::set);
        UserGroupInformation.setConfiguration(secure);
        UserGroupInformation.loginUserFromKeytab(principal(DAEMON), keytab.toString());
    }

    /** The name with its realm. */
    public String principal(String name) {
        return name + "@" + kdc.getRealm();
    }

    /** The keys of all principals. */
    public Path keytab() {
        return keytab;
    }

    /** Writes a cache with a ticket of one of the principals, as {@code kinit} does. */
    public void writeTicket(String name, Path cache) throws Exception {
        KrbClient client = new KrbClient(kdc.getKrb5conf().getParentFile());
        client.setKdcHost("localhost");
        client.setKdcTcpPort(kdc.getPort());
        client.setAllowUdp(false);
        client.init();
        client.storeTicket(client.requestTgt(principal(name), keytab.toFile()), cache.toFile());
    }

    /** For the cluster's daemons and its clients. */
    public Map<String, String> properties() {
        Map<String, String> properties = new HashMap<>(Map.of(
                "hadoop.security.authentication", "kerberos",
                "hadoop.kerberos.min.seconds.before.relogin", "1",
                "dfs.block.access.token.enable", "true",
                "ignore.secure.ports.for.testing", "true",
                "dfs.web.authentication.kerberos.principal", principal(WEB),
                "dfs.web.authentication.kerberos.keytab", keytab.toString()));
        SERVICES.forEach(service -> properties.put(service + ".principal", principal(DAEMON)));
        KEYTABS.forEach(key -> properties.put(key, keytab.toString()));
        return properties;
    }

    @Override
    public void close() throws IOException {
        kdc.stop();
        UserGroupInformation.reset();
        UserGroupInformation.setConfiguration(new Configuration());
    }
}
