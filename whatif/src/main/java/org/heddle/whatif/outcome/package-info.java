// SPDX-License-Identifier: Apache-2.0
/** What a replay measures, and the figures that come out of it. Without Hadoop; no clock but the caller's. */
@NullMarked
package org.heddle.whatif.outcome;

import org.jspecify.annotations.NullMarked;
