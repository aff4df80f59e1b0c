// SPDX-License-Identifier: Apache-2.0
/**
 * Charts of plans, runs and fitted models as text, SVG and HTML. No class here writes a file or knows a Hadoop type.
 */
@NullMarked
package org.heddle.packing.chart;

import org.jspecify.annotations.NullMarked;
