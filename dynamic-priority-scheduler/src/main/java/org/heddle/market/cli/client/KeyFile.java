// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.market.security.MasterKeys;
import org.heddle.settings.command.CommandException;

/**
 * A key in a file that only its owner can read: lines {@code name = value} after a line with the version.
 *
 * @param url of a ResourceManager; empty if the file has none
 * @param cluster id of the cluster in which the key is valid
 * @param secret in base64url
 */
public record KeyFile(String url, String cluster, String keyId, String secret) {
    private static final String VERSION = "heddle-market-key 1";

    /**
     * @throws CommandException if the file cannot be read, has another version, is incomplete, or is open to other
     *     users
     */
    public static KeyFile read(Path file) {
        List<String> lines;
        Set<PosixFilePermission> permissions;
        try {
            permissions = Files.getPosixFilePermissions(file);
            lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new CommandException(
                    CommandException.WRONG,
                    file + ": this key file cannot be read; create a key with 'heddle market keys create', or name its"
                            + " file with --key-file");
        }
        if (lines.isEmpty() || !lines.get(0).strip().equals(VERSION)) {
            throw new CommandException(
                    CommandException.WRONG, file + ": this is not a key file of a known version (" + VERSION + ")");
        }
        if (permissions.stream().anyMatch(permission -> !permission.name().startsWith("OWNER"))) {
            throw new CommandException(
                    CommandException.WRONG,
                    file + ": other users can read this key; run chmod 600 " + file + ", and replace the key");
        }
        Map<String, String> values = new HashMap<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] pair = line.split("=", 2);
            if (pair.length == 2) {
                values.put(pair[0].strip(), pair[1].strip());
            }
        }
        KeyFile key = new KeyFile(
                values.getOrDefault("url", ""),
                values.getOrDefault("cluster", ""),
                values.getOrDefault("key", ""),
                values.getOrDefault("secret", ""));
        if (key.cluster.isEmpty() || key.keyId.isEmpty() || key.secretBytes().length == 0) {
            throw new CommandException(
                    CommandException.WRONG, file + ": the key file is incomplete; it needs cluster, key and secret");
        }
        return key;
    }

    public byte[] secretBytes() {
        try {
            return MasterKeys.bytes(secret);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    /**
     * Looks before the market is asked for a key, which it tells only once. @throws CommandException if the file exists
     */
    public static void demandNew(Path file) {
        if (Files.exists(file)) {
            throw new CommandException(
                    CommandException.WRONG, file + ": this key file exists already; name another one with --save");
        }
    }

    /** Writes a file that only its owner can read. @throws CommandException if the file exists */
    public void write(Path file) {
        demandNew(file);
        String text = VERSION + "\nurl = " + url + "\ncluster = " + cluster + "\nkey = " + keyId + "\nsecret = "
                + secret + "\n";
        try {
            if (file.getParent() != null) {
                Files.createDirectories(file.getParent());
            }
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, text, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new CommandException(CommandException.WRONG, file + ": cannot be written: " + e.getMessage());
        }
    }
}
