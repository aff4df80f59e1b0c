// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import org.apache.mesos.v1.scheduler.Protos.Event;

/** A scheduler's event stream. Methods may be called from any thread and return at once. */
public interface EventSink {
    /** Accepts the subscription: the response begins. */
    void open(String streamId);

    /** Refuses the subscription. */
    void refuse(int status, String message);

    void send(Event event);

    void close();
}
