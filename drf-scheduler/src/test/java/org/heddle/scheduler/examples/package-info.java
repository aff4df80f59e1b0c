// SPDX-License-Identifier: Apache-2.0
/** Share orders as a third party would write them, by the public API only. */
@NullMarked
package org.heddle.scheduler.examples;

import org.jspecify.annotations.NullMarked;
