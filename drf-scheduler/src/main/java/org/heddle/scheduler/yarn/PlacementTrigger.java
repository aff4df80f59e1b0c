// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantReadWriteLock.WriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEventType;
import org.heddle.scheduler.yarn.placement.ImmediatePlacement;

/**
 * Decides when {@link ImmediatePlacement} makes a pass: at the end of each event that brought asks or freed room, and
 * in an ApplicationMaster's heartbeat that brought asks, before it is answered. There is no thread for it. The
 * heartbeat of a master waits a limited time for the scheduler's lock, and one that gets the lock serves the asks of
 * all masters that wait for it. What cannot be done there (the lock is busy, the caller may not wait, more remains than
 * one pass may place) is done by an event to the scheduler itself, which comes after the events that wait already.
 */
final class PlacementTrigger {
    /** The longest time that an ApplicationMaster's heartbeat waits for the scheduler's lock. */
    private static final long LONGEST_WAIT_MILLIS = 20;

    /**
     * What the scheduler sends to itself. Of this type because the ResourceManager gives all events of the scheduler to
     * its allocator of opportunistic containers, too, which ignores this one; an event of a node that is not Hadoop's
     * own would end the process.
     */
    static final class PlaceAsks extends SchedulerEvent {
        PlaceAsks() {
            super(SchedulerEventType.RELEASE_CONTAINER);
        }
    }

    private final ImmediatePlacement placement;
    private final WriteLock lock;
    private final Runnable takeOverAsks;
    private final BooleanSupplier mayAllocate;
    private final Runnable pass;
    private final Consumer<SchedulerEvent> send;
    private final AtomicBoolean sent = new AtomicBoolean();

    /**
     * @param takeOverAsks takes over changed asks into the engine; called under the lock
     * @param mayAllocate whether the ResourceManager has recovered
     * @param pass makes a pass; called under the lock
     * @param send sends an event to the scheduler, to be handled by another thread
     */
    PlacementTrigger(
            ImmediatePlacement placement,
            WriteLock lock,
            Runnable takeOverAsks,
            BooleanSupplier mayAllocate,
            Runnable pass,
            Consumer<SchedulerEvent> send) {
        this.placement = placement;
        this.lock = lock;
        this.takeOverAsks = takeOverAsks;
        this.mayAllocate = mayAllocate;
        this.pass = pass;
        this.send = send;
    }

    /**
     * In an ApplicationMaster's heartbeat that brought asks or released containers, after these were stored; the caller
     * holds no lock of the scheduler's.
     *
     * @param forMaster the ask is for an ApplicationMaster's container, so the caller is the ResourceManager's
     *     dispatcher, which holds the lock of its attempt and must not wait for the scheduler
     */
    void beforeAnswer(boolean forMaster) {
        if (!placement.isOn()) {
            return;
        }
        boolean locked = false;
        try {
            locked = !forMaster && lock.tryLock(LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!locked) {
            sendEvent();
            return;
        }
        try {
            run();
        } finally {
            lock.unlock();
        }
    }

    /** At the end of any event; under the lock. */
    void afterEvent(SchedulerEvent event) {
        if (event instanceof PlaceAsks) {
            sent.set(false);
        }
        run();
    }

    /** In a node's heartbeat, before its room is offered: new asks choose among all nodes. Under the lock. */
    void beforeOffer() {
        if (placement.hasNewAsks()) {
            runPass();
        }
    }

    /** Makes a pass if there is a reason for one; under the lock. */
    void run() {
        if (placement.isOn()) {
            takeOverAsks.run();
            if (placement.isDue()) {
                runPass();
            }
        }
    }

    private void runPass() {
        if (mayAllocate.getAsBoolean()) {
            pass.run();
            if (placement.hasMore()) {
                sendEvent();
            }
        }
    }

    private void sendEvent() {
        if (sent.compareAndSet(false, true)) {
            send.accept(new PlaceAsks());
        }
    }
}
