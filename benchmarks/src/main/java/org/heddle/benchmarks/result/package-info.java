// SPDX-License-Identifier: Apache-2.0
/**
 * Results with their provenance: how a machine, a commit and a load are described, how results are kept as JSON lines,
 * and how two results are compared.
 */
@NullMarked
package org.heddle.benchmarks.result;

import org.jspecify.annotations.NullMarked;
