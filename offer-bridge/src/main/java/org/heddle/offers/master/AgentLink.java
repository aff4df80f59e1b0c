// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

/** A connection to an agent; see {@link org.heddle.offers.agent.Frames}. Any thread, returns at once. */
public interface AgentLink {
    void send(byte[] frame);

    void close();
}
