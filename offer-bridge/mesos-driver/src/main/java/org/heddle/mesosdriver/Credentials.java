// SPDX-License-Identifier: Apache-2.0
package org.heddle.mesosdriver;

import java.io.IOException;
import org.heddle.offers.client.protocol.HttpTransport;
import org.heddle.offers.client.protocol.WireReader;

/** Mesos' Credential, whose secret is text in newer versions and bytes in older ones, as HTTP Basic authentication. */
final class Credentials {
    private static final int PRINCIPAL = 1;
    private static final int SECRET = 2;

    private Credentials() {}

    /** @param credential encoded; empty for none */
    static String authorization(byte[] credential) throws IOException {
        if (credential.length == 0) {
            return "";
        }
        WireReader reader = WireReader.of(credential);
        return HttpTransport.basic(reader.text(PRINCIPAL), reader.text(SECRET));
    }
}
