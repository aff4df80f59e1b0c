// SPDX-License-Identifier: Apache-2.0
/** The heddle-pack command. */
@NullMarked
package org.heddle.packing.cli;

import org.jspecify.annotations.NullMarked;
