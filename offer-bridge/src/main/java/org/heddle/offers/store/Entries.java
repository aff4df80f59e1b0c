// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.store;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The binary form of a batch of changes.
 *
 * <pre>
 * entries(int) { name(UTF) length(int, -1 = removed) bytes }*
 * </pre>
 */
final class Entries {
    private Entries() {}

    static byte[] write(Map<String, ? extends byte @Nullable []> batch) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(batch.size());
        for (Map.Entry<String, ? extends byte @Nullable []> entry : batch.entrySet()) {
            out.writeUTF(entry.getKey());
            byte[] value = entry.getValue();
            if (value == null) {
                out.writeInt(-1);
            } else {
                out.writeInt(value.length);
                out.write(value);
            }
        }
        return bytes.toByteArray();
    }

    /** Passes the entries in order; null for one that is removed. */
    static void read(byte[] body, BiConsumer<String, byte @Nullable []> to) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(body))) {
            int entries = in.readInt();
            for (int i = 0; i < entries; i++) {
                String name = in.readUTF();
                int length = in.readInt();
                to.accept(name, length < 0 ? null : in.readNBytes(length));
            }
        }
    }
}
