// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.planted.yarn.report;

import org.heddle.scheduler.planted.yarn.Shell;

/** Refers to the shell on purpose: see LayeringTest. */
public record Upward(Shell outward) {}
