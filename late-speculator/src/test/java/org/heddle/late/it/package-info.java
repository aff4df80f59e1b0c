// SPDX-License-Identifier: Apache-2.0
/** The speculator in a real cluster. Needs the packaged jar, hence Failsafe. */
@NullMarked
package org.heddle.late.it;

import org.jspecify.annotations.NullMarked;
