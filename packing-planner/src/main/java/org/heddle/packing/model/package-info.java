// SPDX-License-Identifier: Apache-2.0
/**
 * Problems, run time models and plans as values: jobs, phases, roles, assignments, placements. No class here decides
 * anything.
 */
@NullMarked
package org.heddle.packing.model;

import org.jspecify.annotations.NullMarked;
