// SPDX-License-Identifier: Apache-2.0
/**
 * The market in the ResourceManager's web server: filter, servlet, and the dispatcher that takes each request through
 * authentication to its handler.
 */
@NullMarked
package org.heddle.market.http;

import org.jspecify.annotations.NullMarked;
