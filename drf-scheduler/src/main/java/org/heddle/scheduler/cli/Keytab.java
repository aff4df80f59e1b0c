// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/** Reads which principals have keys in a keytab. The keys themselves are skipped. */
final class Keytab {
    /** The first two bytes of the format of MIT Kerberos 1.x, version 2, which all programs write. */
    private static final int VERSION_2 = 0x0502;

    private Keytab() {}

    /** @throws IOException one sentence if the file cannot be read or is no keytab */
    static Set<String> principals(Path file) throws IOException {
        Set<String> principals = new TreeSet<>();
        byte[] bytes = Files.readAllBytes(file);
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            if (bytes.length < 2 || in.readUnsignedShort() != VERSION_2) {
                throw new IOException(file + " is not a keytab");
            }
            while (in.available() > 0) {
                int size = in.readInt();
                // A negative size is that of an entry which was deleted.
                int length = Math.abs(size);
                if (length < 0 || length > in.available()) {
                    throw new EOFException();
                }
                byte[] entry = in.readNBytes(length);
                if (size > 0) {
                    principals.add(principal(entry));
                }
            }
        } catch (EOFException e) {
            throw new IOException(file + " is a damaged keytab: it ends within an entry", e);
        }
        return principals;
    }

    private static String principal(byte[] entry) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(entry))) {
            int components = in.readUnsignedShort();
            String realm = text(in);
            StringBuilder name = new StringBuilder();
            for (int i = 0; i < components; i++) {
                name.append(i > 0 ? "/" : "").append(text(in));
            }
            return name.append('@').append(realm).toString();
        }
    }

    private static String text(DataInputStream in) throws IOException {
        byte[] bytes = new byte[in.readUnsignedShort()];
        in.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
