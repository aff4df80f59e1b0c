// SPDX-License-Identifier: Apache-2.0
/** The configuration keys of the market's REST and pages, and their values. */
@NullMarked
package org.heddle.market.http.config;

import org.jspecify.annotations.NullMarked;
