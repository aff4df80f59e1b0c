// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.planted.left;

import org.heddle.elsewhere.Elsewhere;
import org.heddle.settings.planted.right.Right;

/** Breaks the rules of LayeringTest: uses another module, and a package that uses this one. */
public interface Left {
    Right right();

    Elsewhere otherModule();
}
