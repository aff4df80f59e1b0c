// SPDX-License-Identifier: Apache-2.0
/** What survives a crash: the write-ahead log. */
@NullMarked
package org.heddle.offers.store;

import org.jspecify.annotations.NullMarked;
