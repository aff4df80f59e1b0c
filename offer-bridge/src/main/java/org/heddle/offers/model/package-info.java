// SPDX-License-Identifier: Apache-2.0
/** Amounts and plans of the offer bridge: values without Hadoop, wire formats or clocks. */
@NullMarked
package org.heddle.offers.model;

import org.jspecify.annotations.NullMarked;
