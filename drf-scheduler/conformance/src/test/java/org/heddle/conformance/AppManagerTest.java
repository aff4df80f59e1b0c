// SPDX-License-Identifier: Apache-2.0
package org.heddle.conformance;

import org.apache.hadoop.yarn.event.AsyncDispatcher;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.TestAppManager;

/**
 * Hadoop's tests of how applications are taken on. They start a dispatcher and give it no handler for what they send to
 * the scheduler at last; where it looks at that before they end, it ends the JVM with them. Here it only logs.
 */
public class AppManagerTest extends TestAppManager {
    @Override
    public RMContext mockRMContext(int applications, long time) {
        RMContext context = super.mockRMContext(applications, time);
        ((AsyncDispatcher) context.getDispatcher()).disableExitOnDispatchException();
        return context;
    }
}
