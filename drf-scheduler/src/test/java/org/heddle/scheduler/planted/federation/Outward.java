// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.planted.federation;

import org.apache.hadoop.conf.Configuration;
import org.heddle.scheduler.planted.engine.Impatient;

/** Breaks the layering on purpose: see LayeringTest. */
public record Outward(Configuration configuration, Impatient outward) {}
