// SPDX-License-Identifier: Apache-2.0
/** Alerts about accounts that run out of credit, sent to a webhook; no servlet, no scheduler. */
@NullMarked
package org.heddle.market.alert;

import org.jspecify.annotations.NullMarked;
