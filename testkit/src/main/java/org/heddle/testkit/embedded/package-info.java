// SPDX-License-Identifier: Apache-2.0
/**
 * Hadoop's daemons as the fixture runs them inside the test's process; it knows nothing of the fixture itself, and
 * nothing here is for users of the testkit.
 */
@NullMarked
package org.heddle.testkit.embedded;

import org.jspecify.annotations.NullMarked;
