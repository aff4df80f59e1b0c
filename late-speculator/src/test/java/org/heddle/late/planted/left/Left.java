// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.planted.left;

import org.heddle.late.planted.right.Right;
import org.heddle.testkit.HeddleCluster;

/** Breaks the rules of LayeringTest: uses another module, and a package that uses this one. */
public interface Left {
    Right right();

    HeddleCluster otherModule();
}
