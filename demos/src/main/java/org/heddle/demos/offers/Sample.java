// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.offers;

import java.util.Map;

/**
 * One look at the cluster.
 *
 * @param seconds since the first framework came
 * @param shares dominant share, 0 to 1, by tenant; none for those that are not there
 */
record Sample(double seconds, Map<String, Double> shares) {}
