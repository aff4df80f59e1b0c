// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code heddle late}: it replays the history of a finished job under a profile, and draws timelines. It
 * uses the policy as it is and decides nothing itself.
 */
@NullMarked
package org.heddle.late.replay;

import org.jspecify.annotations.NullMarked;
