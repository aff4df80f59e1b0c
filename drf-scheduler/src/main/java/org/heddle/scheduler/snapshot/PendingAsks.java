// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.snapshot;

import java.util.Map;

/**
 * What applications ask for and have not got yet.
 *
 * @param containers their number
 * @param resources what these would have, per resource name
 */
public record PendingAsks(long containers, Map<String, Long> resources) {}
