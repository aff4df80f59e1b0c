// SPDX-License-Identifier: Apache-2.0
/** Answers about the state: pages, metrics and the operator API; nothing here changes the state. */
@NullMarked
package org.heddle.offers.master.reports;

import org.jspecify.annotations.NullMarked;
