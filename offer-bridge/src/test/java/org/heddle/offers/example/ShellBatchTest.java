// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import org.junit.jupiter.api.Test;

/** Who starts the example with a wrong address reads so. */
class ShellBatchTest {
    @Test
    void anAddressThatDoesNotAnswerIsNamed() throws Exception {
        int closed;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = socket.getLocalPort();
        }
        String address = "http://127.0.0.1:" + closed;
        assertThat(ShellBatch.problem(URI.create(address))).startsWith(address + " does not answer: ");
        assertThat(ShellBatch.problem(URI.create("nonsense"))).startsWith("nonsense does not answer: ");
    }
}
