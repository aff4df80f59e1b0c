// SPDX-License-Identifier: Apache-2.0
package org.heddle.mesosdriver;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import org.heddle.offers.client.protocol.Masters;

/**
 * The forms in which a framework names its master: {@code host:port}, {@code http://host:port}, {@code
 * https://host:port}, {@code zk://[user:password@]host:port,../path}, or {@code file:///path} of a file that contains
 * one of these.
 */
final class MasterUrl {
    private static final int DEFAULT_PORT = 5050;

    private MasterUrl() {}

    /**
     * @param tls whether masters that are not named by a URL of http are called over https
     * @throws IllegalArgumentException if there is no such master, with a sentence that says what is expected
     * @throws IOException if the file cannot be read
     */
    static Masters parse(String master, boolean tls) throws IOException {
        String text = master.trim();
        if (text.startsWith("file://")) {
            String path = text.substring("file://".length());
            return parse(new String(Files.readAllBytes(Paths.get(path)), StandardCharsets.UTF_8), tls);
        }
        if (text.startsWith("zk://")) {
            return zooKeeper(text.substring("zk://".length()), master, tls);
        }
        if (text.equals("local") || text.equals("localquiet")) {
            throw new IllegalArgumentException("the master '" + master
                    + "' is Mesos' own master inside the process, which this driver does not have: name a bridge");
        }
        URI address = address(text, tls);
        return attempt -> address;
    }

    /** @param text host:port, or a URL of http or https */
    static URI address(String text, boolean tls) {
        try {
            String scheme = tls ? "https://" : "http://";
            URI address = URI.create(text.contains("://") ? text : scheme + text);
            boolean http = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
            if (http && address.getHost() != null) {
                if (address.getPort() > 0) {
                    return address;
                }
                return URI.create(address.getScheme() + "://" + address.getHost() + ":" + DEFAULT_PORT);
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(refusal(text), e);
        }
        throw new IllegalArgumentException(refusal(text));
    }

    private static Masters zooKeeper(String text, String master, boolean tls) {
        int slash = text.indexOf('/');
        if (slash < 1 || slash == text.length() - 1) {
            throw new IllegalArgumentException(refusal(master));
        }
        String servers = text.substring(0, slash);
        int at = servers.lastIndexOf('@');
        ZooKeeperSession session = new ZooKeeperSession(
                servers.substring(at + 1),
                ZooKeeperMasters.SESSION_MILLIS,
                at < 0 ? "" : "digest",
                at < 0 ? new byte[0] : servers.substring(0, at).getBytes(StandardCharsets.UTF_8));
        String path = text.substring(slash);
        return new ZooKeeperMasters(session, path.endsWith("/") ? path.substring(0, path.length() - 1) : path, tls);
    }

    private static String refusal(String master) {
        return "the master '" + master
                + "' is not an address: write host:port, https://host:port, zk://host:port,host:port/path"
                + " or file:///path";
    }
}
