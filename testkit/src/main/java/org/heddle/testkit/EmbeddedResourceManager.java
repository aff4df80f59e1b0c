// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;

/** Opens what Hadoop keeps for tests: the time stamp in application ids and container tokens is one per JVM. */
final class EmbeddedResourceManager extends ResourceManager {
    static void restoreTimeStamp(long millis) {
        setClusterTimeStamp(millis);
    }
}
