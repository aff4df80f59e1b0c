// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.snapshot;

import java.util.List;

/**
 * A configuration that came into force.
 *
 * @param atMillis when, milliseconds since 1970
 * @param differences from the one before, one setting each; empty for the first one of this ResourceManager
 */
public record ConfigurationChange(long atMillis, List<String> differences) {
    public ConfigurationChange {
        differences = List.copyOf(differences);
    }
}
