// SPDX-License-Identifier: Apache-2.0
/** Run time models from measured runs: Hadoop job histories in, coefficients with confidence intervals out. */
@NullMarked
package org.heddle.packing.fit;

import org.jspecify.annotations.NullMarked;
