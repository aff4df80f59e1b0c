// SPDX-License-Identifier: Apache-2.0
/** The JSON API: requests, responses, routes and their handlers; no authentication, no servlet registration. */
@NullMarked
package org.heddle.market.http.api;

import org.jspecify.annotations.NullMarked;
