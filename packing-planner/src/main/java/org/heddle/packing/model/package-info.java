// SPDX-License-Identifier: Apache-2.0
/** What is planned and what a plan is: problems, run time models, phases, roles, placements. Values only. */
@NullMarked
package org.heddle.packing.model;

import org.jspecify.annotations.NullMarked;
