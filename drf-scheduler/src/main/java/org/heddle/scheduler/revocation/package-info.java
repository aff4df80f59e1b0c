// SPDX-License-Identifier: Apache-2.0
/**
 * Who has been below what it may expect for too long, and which containers are to be taken from whom for it (Nexus,
 * UCB/EECS-2009-158, 3.4 and 4.3). Decides on the engine's books by trial; performs nothing and knows no Hadoop type.
 */
@NullMarked
package org.heddle.scheduler.revocation;

import org.jspecify.annotations.NullMarked;
