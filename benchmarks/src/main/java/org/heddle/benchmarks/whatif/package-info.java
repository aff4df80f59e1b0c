// SPDX-License-Identifier: Apache-2.0
/** How long {@code heddle whatif} takes for a day of a large cluster. */
@org.jspecify.annotations.NullMarked
package org.heddle.benchmarks.whatif;
