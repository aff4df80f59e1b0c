// SPDX-License-Identifier: Apache-2.0
/** Clients and files that mean harm: what a server or a reader must withstand. */
@NullMarked
package org.heddle.testkit.attack;

import org.jspecify.annotations.NullMarked;
