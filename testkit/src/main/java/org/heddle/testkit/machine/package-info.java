// SPDX-License-Identifier: Apache-2.0
/** The machine that tests run on: its addresses, ports, disks, programs and processes. Knows no cluster. */
@NullMarked
package org.heddle.testkit.machine;

import org.jspecify.annotations.NullMarked;
