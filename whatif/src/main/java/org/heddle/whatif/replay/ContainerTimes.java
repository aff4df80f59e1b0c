// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.replay;

import java.lang.reflect.Field;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerImpl;
import org.jspecify.annotations.Nullable;

/**
 * Gives containers the replay's time of creation. YARN takes the machine's, whatever the scheduler's clock says, and
 * preemption compares it.
 */
final class ContainerTimes {
    private final Field creationTime;

    /** @throws IllegalStateException if this Hadoop keeps that time elsewhere */
    ContainerTimes() {
        try {
            creationTime = RMContainerImpl.class.getDeclaredField("creationTime");
            creationTime.setAccessible(true);
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException("this Hadoop's containers cannot be replayed: " + e, e);
        }
    }

    void created(@Nullable RMContainer container, long millis) {
        if (container instanceof RMContainerImpl one) {
            try {
                creationTime.setLong(one, millis);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException("this Hadoop's containers cannot be replayed: " + e, e);
            }
        }
    }
}
