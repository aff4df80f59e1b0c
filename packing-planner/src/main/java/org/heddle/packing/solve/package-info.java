// SPDX-License-Identifier: Apache-2.0
/** The planners and their lower bounds. Pure: no files, no Hadoop; clock and randomness are arguments. */
@NullMarked
package org.heddle.packing.solve;

import org.jspecify.annotations.NullMarked;
