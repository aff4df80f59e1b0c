// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client.protocol;

import java.io.IOException;
import java.net.URI;

/** Finds the address of the master: a bridge, or a Mesos master. */
public interface Masters extends AutoCloseable {
    /**
     * The address to try.
     *
     * @param attempt how many addresses have failed so far
     * @throws IOException if no master is known at the moment; the caller asks again later
     */
    URI master(int attempt) throws IOException;

    @Override
    default void close() {}
}
