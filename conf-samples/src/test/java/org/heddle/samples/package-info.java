// SPDX-License-Identifier: Apache-2.0
/** Loads every sample. */
@NullMarked
package org.heddle.samples;

import org.jspecify.annotations.NullMarked;
