// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.planted.preemption;

import org.apache.hadoop.conf.Configuration;
import org.heddle.scheduler.planted.yarn.Shell;

/** Breaks the layering on purpose: see LayeringTest. */
public record Outward(Configuration configuration, Shell outward) {}
