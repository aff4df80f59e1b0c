// SPDX-License-Identifier: Apache-2.0
/**
 * {@code heddle-scheduler.xml}: its format, its reader, its reloading. No Hadoop type.
 */
@NullMarked
package org.heddle.scheduler.config;

import org.jspecify.annotations.NullMarked;
