// SPDX-License-Identifier: Apache-2.0
/**
 * {@code ./demo drf}: three users compete, and their measured dominant shares are compared with the fair ones.
 */
@NullMarked
package org.heddle.demos.drf;

import org.jspecify.annotations.NullMarked;
