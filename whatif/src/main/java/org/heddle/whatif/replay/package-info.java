// SPDX-License-Identifier: Apache-2.0
/**
 * Replays a past through one scheduler of a real ResourceManager on a virtual clock. It knows neither files of the past
 * nor reports.
 */
@NullMarked
package org.heddle.whatif.replay;

import org.jspecify.annotations.NullMarked;
