// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import com.google.protobuf.Message;

/**
 * The event stream of a scheduler or an operator. Methods may be called from any thread and return at once.
 *
 * @param <E> that API's events
 */
public interface EventSink<E extends Message> {
    /** Accepts the subscription: the response begins. */
    void open(String streamId);

    /** Refuses the subscription. */
    void refuse(int status, String message);

    void send(E event);

    void close();
}
