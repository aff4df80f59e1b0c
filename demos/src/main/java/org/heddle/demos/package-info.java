// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code ./demo} command.
 */
@NullMarked
package org.heddle.demos;

import org.jspecify.annotations.NullMarked;
