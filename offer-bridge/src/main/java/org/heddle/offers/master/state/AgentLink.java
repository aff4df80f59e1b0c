// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

/** A connection to an agent; see {@link org.heddle.offers.agent.AgentProtocol}. Any thread, returns at once. */
public interface AgentLink {
    void send(byte[] frame);

    void close();
}
