// SPDX-License-Identifier: Apache-2.0
/** The connection to YARN: one unmanaged application for each role of a framework. No other package uses YARN's API. */
@NullMarked
package org.heddle.offers.yarn;

import org.jspecify.annotations.NullMarked;
