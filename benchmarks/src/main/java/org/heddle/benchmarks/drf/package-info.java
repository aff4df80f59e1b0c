// SPDX-License-Identifier: Apache-2.0
/** The worked examples of the DRF papers, by the share engine alone. */
@NullMarked
package org.heddle.benchmarks.drf;

import org.jspecify.annotations.NullMarked;
