// SPDX-License-Identifier: Apache-2.0
/** The HTTP server in front (Netty): calls in, event streams out, pages for operators. */
@NullMarked
package org.heddle.offers.http;

import org.jspecify.annotations.NullMarked;
