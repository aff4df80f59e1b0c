// SPDX-License-Identifier: Apache-2.0
/** What the master knows, the one thread which changes it, and its journal records; no decisions. */
@NullMarked
package org.heddle.offers.master.state;

import org.jspecify.annotations.NullMarked;
