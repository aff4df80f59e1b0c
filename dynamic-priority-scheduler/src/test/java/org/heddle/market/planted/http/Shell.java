// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.planted.http;

import org.heddle.market.planted.epoch.Outward;
import org.jspecify.annotations.Nullable;

/** Closes a cycle of packages on purpose: see LayeringTest. */
public record Shell(@Nullable Outward outward) {}
