// SPDX-License-Identifier: Apache-2.0
/** The market in the ResourceManager's own web server: the paper's API, JSON, the console. */
@NullMarked
package org.heddle.market.http;

import org.jspecify.annotations.NullMarked;
