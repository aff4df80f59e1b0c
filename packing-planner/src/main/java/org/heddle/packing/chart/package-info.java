// SPDX-License-Identifier: Apache-2.0
/**
 * Charts of plans, runs and fitted models as text, SVG and HTML; no file access and no Hadoop type.
 */
@NullMarked
package org.heddle.packing.chart;

import org.jspecify.annotations.NullMarked;
