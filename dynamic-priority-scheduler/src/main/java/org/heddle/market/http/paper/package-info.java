// SPDX-License-Identifier: Apache-2.0
/**
 * The API of the paper with its XML, and the request signatures of its code of 2009. New operations belong to {@code
 * http.api}.
 */
@NullMarked
package org.heddle.market.http.paper;

import org.jspecify.annotations.NullMarked;
