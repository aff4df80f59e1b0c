// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.machine;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports for servers that must know theirs before they start, or that start again on the same one. They are below those
 * that Linux gives to outgoing connections and to servers that ask for any port (from 32768 on), so nobody takes one by
 * chance before its server has it, or while that is down. Each is given once in a JVM, and JVMs that run side by side
 * begin at different numbers.
 */
public final class FreePort {
    private static final int FIRST = 10_000;
    private static final int JVMS = 160;
    private static final int OF_A_JVM = 100;

    private static final AtomicInteger NEXT =
            new AtomicInteger(FIRST + (int) (ProcessHandle.current().pid() % JVMS) * OF_A_JVM);

    private FreePort() {}

    /** The next one on which nobody listens. */
    public static int next() {
        while (true) {
            try (ServerSocket probe = new ServerSocket(NEXT.getAndIncrement())) {
                return probe.getLocalPort();
            } catch (IOException e) {
                // somebody listens: the next one
            }
        }
    }
}
