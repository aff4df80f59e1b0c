// SPDX-License-Identifier: Apache-2.0
/**
 * Reads and writes the fair-scheduler.xml of FairScheduler, and reads its keys. Nothing here reads heddle-scheduler.xml.
 */
@NullMarked
package org.heddle.scheduler.config.fair;

import org.jspecify.annotations.NullMarked;
