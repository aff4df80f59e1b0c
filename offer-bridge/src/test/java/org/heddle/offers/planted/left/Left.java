// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.planted.left;

import org.heddle.offers.planted.right.Right;
import org.heddle.testkit.HeddleCluster;

/** Breaks the rules of LayeringTest: uses another module, and a package that uses this one. */
public interface Left {
    Right right();

    HeddleCluster otherModule();
}
