// SPDX-License-Identifier: Apache-2.0
/**
 * The class an admin names: {@code DrfScheduler}. Wiring only.
 */
@NullMarked
package org.heddle.drf;

import org.jspecify.annotations.NullMarked;
