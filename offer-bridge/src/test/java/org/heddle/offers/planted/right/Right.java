// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.planted.right;

import org.heddle.offers.planted.left.Left;

/** The other half of the planted cycle. */
public interface Right {
    Left left();
}
