// SPDX-License-Identifier: Apache-2.0
/**
 * A real ResourceManager whose nodes and ApplicationMasters are driven by the caller: what they report, and when. The
 * replay and the benchmarks use it; it knows neither histories nor reports.
 */
@NullMarked
package org.heddle.whatif.driven;

import org.jspecify.annotations.NullMarked;
