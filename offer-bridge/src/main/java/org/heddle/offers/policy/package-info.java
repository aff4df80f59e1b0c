// SPDX-License-Identifier: Apache-2.0
/** Decisions as pure functions: asks, refused offers, placement of tasks, ports. Time is an argument. */
@NullMarked
package org.heddle.offers.policy;

import org.jspecify.annotations.NullMarked;
