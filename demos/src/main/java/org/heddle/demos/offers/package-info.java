// SPDX-License-Identifier: Apache-2.0
/** {@code ./demo offers}: frameworks on the offer bridge beside a MapReduce job. */
@NullMarked
package org.heddle.demos.offers;

import org.jspecify.annotations.NullMarked;
