// SPDX-License-Identifier: Apache-2.0
/**
 * The console, a static page over the JSON API; it changes nothing.
 */
@NullMarked
package org.heddle.market.http.pages;

import org.jspecify.annotations.NullMarked;
