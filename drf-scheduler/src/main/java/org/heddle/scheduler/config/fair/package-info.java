// SPDX-License-Identifier: Apache-2.0
/**
 * Reads and writes {@code fair-scheduler.xml}, and reads the keys of FairScheduler. Nothing here reads
 * {@code heddle-scheduler.xml}.
 */
@NullMarked
package org.heddle.scheduler.config.fair;

import org.jspecify.annotations.NullMarked;
