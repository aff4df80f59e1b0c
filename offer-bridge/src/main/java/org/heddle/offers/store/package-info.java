// SPDX-License-Identifier: Apache-2.0
/** The write-ahead log, which survives a crash. It knows names and bytes, not what they mean. */
@NullMarked
package org.heddle.offers.store;

import org.jspecify.annotations.NullMarked;
