// SPDX-License-Identifier: Apache-2.0
package org.apache.mesos.state;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;
import org.heddle.offers.client.protocol.WireReader;
import org.heddle.offers.client.protocol.WireWriter;

/** How Mesos stores a variable: its name, the uuid of this version, its value. Immutable. */
final class StateEntry {
    private static final int NAME = 1;
    private static final int UUID_FIELD = 2;
    private static final int VALUE = 3;

    private final String name;
    private final byte[] uuid;
    private final byte[] value;

    StateEntry(String name, byte[] uuid, byte[] value) {
        this.name = name;
        this.uuid = uuid.clone();
        this.value = value.clone();
    }

    /** The entry of a variable that was never stored. */
    static StateEntry fresh(String name) {
        return new StateEntry(name, randomUuid(), new byte[0]);
    }

    static StateEntry parse(byte[] bytes) throws IOException {
        WireReader reader = WireReader.of(bytes);
        return new StateEntry(reader.text(NAME), reader.bytes(UUID_FIELD), reader.bytes(VALUE));
    }

    private static byte[] randomUuid() {
        UUID random = UUID.randomUUID();
        return ByteBuffer.allocate(16)
                .putLong(random.getMostSignificantBits())
                .putLong(random.getLeastSignificantBits())
                .array();
    }

    byte[] toBytes() {
        return new WireWriter()
                .text(NAME, name)
                .bytes(UUID_FIELD, uuid)
                .bytes(VALUE, value)
                .toBytes();
    }

    /** The next version of the variable. */
    StateEntry next() {
        return new StateEntry(name, randomUuid(), value);
    }

    StateEntry withValue(byte[] changed) {
        return new StateEntry(name, uuid, changed);
    }

    boolean isSameVersion(StateEntry other) {
        return Arrays.equals(uuid, other.uuid);
    }

    String name() {
        return name;
    }

    byte[] value() {
        return value.clone();
    }
}
