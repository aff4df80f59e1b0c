// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.planted.right;

import org.heddle.packing.planted.left.Left;

/** The other half of the planted cycle. */
public interface Right {
    Left left();
}
