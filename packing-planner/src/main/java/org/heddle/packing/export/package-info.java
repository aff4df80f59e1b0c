// SPDX-License-Identifier: Apache-2.0
/** Plans for other systems: libvirt domains, placement lists, YARN reservations. */
@NullMarked
package org.heddle.packing.export;

import org.jspecify.annotations.NullMarked;
