// SPDX-License-Identifier: Apache-2.0
/**
 * An independent check of plans. It shares the values of {@code model} with the planners, and no code.
 */
@NullMarked
package org.heddle.packing.check;

import org.jspecify.annotations.NullMarked;
