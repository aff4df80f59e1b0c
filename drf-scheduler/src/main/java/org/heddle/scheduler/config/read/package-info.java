// SPDX-License-Identifier: Apache-2.0
/**
 * Reads {@code heddle-scheduler.xml}, or a {@code fair-scheduler.xml} with package {@code fair}, and reads it again
 * when it changes. Nothing here changes a file.
 */
@NullMarked
package org.heddle.scheduler.config.read;

import org.jspecify.annotations.NullMarked;
