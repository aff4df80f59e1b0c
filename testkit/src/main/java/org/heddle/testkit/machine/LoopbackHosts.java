// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.machine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.net.NetUtils;

/**
 * Gives each host name its own loopback address, the same for all clusters of this JVM (their ports differ).
 *
 * <p>Made-up names resolve without root rights or JVM flags: in this JVM through Hadoop's static resolutions, in
 * container JVMs through a hosts file.
 */
public final class LoopbackHosts {
    /** Addresses are handed out from 127.0.71.1; the low ones are often in /etc/hosts. */
    private static final int FIRST_BLOCK = 71;

    private static final Map<String, String> ADDRESSES = new TreeMap<>();

    private LoopbackHosts() {}

    /** The loopback address of a host name, which is resolvable for Hadoop from now on. */
    public static synchronized String address(String host) {
        if (isAddress(host)) {
            return host;
        }
        String address = ADDRESSES.computeIfAbsent(host, name -> {
            int index = ADDRESSES.size();
            return "127.0." + (FIRST_BLOCK + index / 250) + "." + (index % 250 + 1);
        });
        NetUtils.addStaticResolution(host, address);
        return address;
    }

    /** The address to use as the name of the n-th node (from 1) where names shall be resolvable for everybody. */
    public static String literal(int number) {
        return "127.0.70." + number;
    }

    public static boolean isAddress(String host) {
        return host.matches("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");
    }

    /** Fails with a way out where the system does not answer on all of 127.0.0.0/8. */
    public static void requireBindable(String address) throws IOException {
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress(address, 0));
        } catch (IOException e) {
            throw new IOException(
                    "cannot listen on " + address
                            + ": each node needs its own loopback address; on macOS add it with 'ifconfig lo0 alias "
                            + address + "'",
                    e);
        }
    }

    /**
     * Writes a hosts file for {@code -Djdk.net.hosts.file}. It replaces every other name service in the JVM that reads
     * it, so this machine's own names are in it too.
     */
    public static synchronized void writeHostsFile(Path file) throws IOException {
        StringBuilder lines = new StringBuilder("127.0.0.1 localhost\n");
        try {
            InetAddress self = InetAddress.getLocalHost();
            lines.append(self.getHostAddress())
                    .append(' ')
                    .append(self.getHostName())
                    .append('\n');
            String canonical = self.getCanonicalHostName();
            if (!canonical.equals(self.getHostName()) && !canonical.equals(self.getHostAddress())) {
                lines.append(self.getHostAddress())
                        .append(' ')
                        .append(canonical)
                        .append('\n');
            }
        } catch (UnknownHostException e) {
            throw new IOException(
                    "this machine cannot resolve its own name, which Hadoop needs: add it to /etc/hosts", e);
        }
        ADDRESSES.forEach((host, address) ->
                lines.append(address).append(' ').append(host).append('\n'));
        Files.writeString(file, lines);
    }
}
