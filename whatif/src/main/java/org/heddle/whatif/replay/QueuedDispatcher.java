// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.replay;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.yarn.event.AsyncDispatcher;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;

/**
 * Keeps events until the replay handles them, on its own thread and in their order. It extends {@code AsyncDispatcher}
 * because the ResourceManager casts to that class.
 */
@SuppressWarnings({"rawtypes", "unchecked"}) // as in the base class
final class QueuedDispatcher extends AsyncDispatcher {
    private final Queue<Event> waiting = new ConcurrentLinkedQueue<>();

    QueuedDispatcher() {
        super("replay");
    }

    @Override
    public EventHandler<Event> getEventHandler() {
        return waiting::add;
    }

    /** Handles all events that wait, and those that come from this. */
    void drain() {
        for (Event event = waiting.poll(); event != null; event = waiting.poll()) {
            EventHandler handler = eventDispatchers.get(event.getType().getDeclaringClass());
            if (handler != null) {
                handler.handle(event);
            }
        }
    }
}
