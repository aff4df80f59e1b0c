// SPDX-License-Identifier: Apache-2.0
/** The console, a page that shows the JSON API's data and changes nothing, and the API's description. */
@NullMarked
package org.heddle.market.http.pages;

import org.jspecify.annotations.NullMarked;
