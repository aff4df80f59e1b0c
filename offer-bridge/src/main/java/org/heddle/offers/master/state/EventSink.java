// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import com.google.protobuf.Message;

/**
 * The event stream of a scheduler or an operator. Its methods are thread-safe and do not block.
 *
 * @param <E> event type of the API
 */
public interface EventSink<E extends Message> {
    /** Accepts the subscription, so that the response begins. */
    void open(String streamId);

    /** Refuses the subscription. */
    void refuse(int status, String message);

    void send(E event);

    /** Sends a sign of life, which may overtake other events but not the first one. From any thread. */
    default void beat(E event) {
        send(event);
    }

    void close();
}
