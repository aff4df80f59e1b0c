// SPDX-License-Identifier: Apache-2.0
/** {@code ./demo market}: three users' streams of jobs under the dynamic-priority scheduler, and what they pay. */
@NullMarked
package org.heddle.demos.market;

import org.jspecify.annotations.NullMarked;
