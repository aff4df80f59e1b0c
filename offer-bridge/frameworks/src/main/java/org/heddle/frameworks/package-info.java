// SPDX-License-Identifier: Apache-2.0
/** The commands that run the frameworks. */
@NullMarked
package org.heddle.frameworks;

import org.jspecify.annotations.NullMarked;
