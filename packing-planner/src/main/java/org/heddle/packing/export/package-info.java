// SPDX-License-Identifier: Apache-2.0
/**
 * Plans in the formats of other systems: reservations of YARN.
 */
@NullMarked
package org.heddle.packing.export;

import org.jspecify.annotations.NullMarked;
