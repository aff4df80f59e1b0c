// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client.protocol;

import java.util.List;

/** Events of a scheduler's subscription, with encoded messages. One thread calls the methods, one after the other. */
public interface SchedulerListener {
    /** @param again whether this connection was subscribed before */
    void subscribed(byte[] frameworkId, byte[] masterInfo, boolean again);

    /** The subscription is lost; the connection subscribes again. */
    void disconnected();

    void offers(List<byte[]> offers);

    void rescinded(byte[] offerId);

    void inverseOffers(List<byte[]> offers);

    void update(byte[] status);

    void message(byte[] executorId, byte[] agentId, byte[] data);

    /** @param executorId empty if the whole agent is lost */
    void failure(byte[] agentId, byte[] executorId, int status);

    /** The connection has ended for good, because the master or the listener refused to go on. */
    void failed(String message);
}
