// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.planted.right;

import org.heddle.late.planted.left.Left;

/** The other half of the planted cycle. */
public interface Right {
    Left left();
}
