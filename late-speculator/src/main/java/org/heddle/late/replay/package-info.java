// SPDX-License-Identifier: Apache-2.0
/** What a finished job would have looked like: its history replayed under any profile. Run by {@code bin/heddle-late}. */
@NullMarked
package org.heddle.late.replay;

import org.jspecify.annotations.NullMarked;
