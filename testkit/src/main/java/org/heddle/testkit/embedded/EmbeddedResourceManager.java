// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.embedded;

import java.lang.reflect.Field;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.RMContextImpl;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;

/** Opens what Hadoop keeps to itself: a time stamp, and the address in tracking URLs. */
public final class EmbeddedResourceManager extends ResourceManager {
    /** The time stamp in application ids and container tokens is one per JVM. */
    public static void restoreTimeStamp(long millis) {
        setClusterTimeStamp(millis);
    }

    @Override
    protected void serviceStart() throws Exception {
        super.serviceStart();
        trackUnderRealPort(getRMContext(), getConfig().get(YarnConfiguration.RM_WEBAPP_ADDRESS));
    }

    /**
     * The web server starts the proxy of applications only if the proxy's address is its own as configured, and the
     * ResourceManager remembers that address, with port 0, for all tracking URLs. There is no setter.
     */
    private static void trackUnderRealPort(RMContext context, String address) throws ReflectiveOperationException {
        Field proxy = RMContextImpl.class.getDeclaredField("proxyHostAndPort");
        proxy.setAccessible(true);
        proxy.set(context, address);
    }
}
