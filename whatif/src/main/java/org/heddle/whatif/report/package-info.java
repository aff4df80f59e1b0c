// SPDX-License-Identifier: Apache-2.0
/** Outcomes as text and as an HTML page. Without Hadoop. */
@NullMarked
package org.heddle.whatif.report;

import org.jspecify.annotations.NullMarked;
