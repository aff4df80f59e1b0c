// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.planted.right;

import org.heddle.settings.planted.left.Left;

/** The other half of the planted cycle. */
public interface Right {
    Left left();
}
