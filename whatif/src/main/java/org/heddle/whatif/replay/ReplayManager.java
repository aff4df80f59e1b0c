// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.replay;

import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;

/** A ResourceManager without pages, in which no event is handled on another thread than the replay's. */
public final class ReplayManager extends ResourceManager {
    private final QueuedDispatcher dispatcher = new QueuedDispatcher();

    @Override
    protected Dispatcher createDispatcher() {
        return dispatcher;
    }

    @Override
    protected EventHandler<SchedulerEvent> createSchedulerEventDispatcher() {
        return event -> getResourceScheduler().handle(event);
    }

    @Override
    protected void startWepApp() {
        // Nobody looks at pages.
    }

    /** Handles all events that wait. */
    public void drain() {
        dispatcher.drain();
    }
}
