// SPDX-License-Identifier: Apache-2.0
package org.heddle.mesosdriver;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import org.heddle.offers.client.protocol.WireReader;
import org.heddle.offers.client.protocol.WireWriter;

/** The fields of FrameworkInfo that the driver needs. The numbers are those of mesos.proto. */
final class FrameworkFields {
    private static final int USER = 1;
    private static final int ID = 3;
    private static final int ROLE = 6;
    private static final int HOSTNAME = 7;
    private static final int ROLES = 12;
    private static final String DEFAULT_ROLE = "*";

    private FrameworkFields() {}

    /** The encoded id; empty for a new framework. */
    static byte[] id(byte[] info) throws IOException {
        return WireReader.of(info).bytes(ID);
    }

    static Set<String> roles(byte[] info) throws IOException {
        WireReader reader = WireReader.of(info);
        Set<String> roles = new TreeSet<>();
        reader.all(ROLES).forEach(role -> roles.add(new String(role, StandardCharsets.UTF_8)));
        if (roles.isEmpty()) {
            roles.add(reader.has(ROLE) ? reader.text(ROLE) : DEFAULT_ROLE);
        }
        return roles;
    }

    /** As Mesos' driver does: without a user the one of this process, without a host name the one of this machine. */
    static byte[] completed(byte[] info) throws IOException {
        WireReader reader = WireReader.of(info);
        WireWriter completed = new WireWriter().raw(info);
        if (reader.text(USER).isEmpty()) {
            completed.text(USER, System.getProperty("user.name", ""));
        }
        if (reader.text(HOSTNAME).isEmpty()) {
            completed.text(HOSTNAME, hostname());
        }
        return completed.toBytes();
    }

    private static String hostname() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
