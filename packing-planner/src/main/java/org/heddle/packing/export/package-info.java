// SPDX-License-Identifier: Apache-2.0
/**
 * Plans in the formats of other systems: libvirt domains with a placement list, and YARN reservations.
 */
@NullMarked
package org.heddle.packing.export;

import org.jspecify.annotations.NullMarked;
