// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.planted.yarn.federation;

/** Refers to a room above its own on purpose: see LayeringTest. */
public record Upward(org.heddle.scheduler.planted.yarn.app.Upward outward) {}
