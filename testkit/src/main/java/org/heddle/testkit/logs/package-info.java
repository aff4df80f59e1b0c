// SPDX-License-Identifier: Apache-2.0
/** What daemons and containers wrote. Knows no cluster. */
@NullMarked
package org.heddle.testkit.logs;

import org.jspecify.annotations.NullMarked;
